import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { forgetFingerprints } from './fingerprint.ts'
import { onResidentsMerged } from './resident-merge.ts'

/** Of a finger that several of the records have, the one of the record that is kept stays, or the first. */
async function forgetRepeated(tx: Tx, scope: Scope, keptId: Id, mergedIds: readonly Id[]): Promise<void> {
  const repeated = await tx.rows<{ id: Id }>(sql`
    select s.id
    from (
      select f.id, row_number() over (partition by f.finger_no order by f.user_id <> ${keptId}, f.id) as place
      from resident_fingerprint f
      where f.owner_id = ${scope.ownerId}
        and ${notDeleted('f')}
        and f.user_id = any(${[keptId, ...mergedIds]}::bigint[])
    ) s
    where s.place > 1
  `)
  await forgetFingerprints(
    tx,
    scope,
    repeated.map(({ id }) => id),
    '合并住户',
  )
}

onResidentsMerged(async (tx, scope, { id: keptId }, mergedIds) => {
  await forgetRepeated(tx, scope, keptId, mergedIds)
  await tx.execute(sql`
    update resident_fingerprint
    set user_id = ${keptId}, update_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})
