import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { faceState } from '../contract/labels.ts'

interface FaceOutcome {
  readonly id: Id
  readonly state: 'waiting' | 'good' | 'failed'
  readonly reason?: string | undefined
}

/**
 * How far faces are on the devices, as access control hears it. Devices report at the same time: the faces
 * are locked before `load` looks at what all of them say. What was deleted stays so.
 */
export async function recordFaceStates(
  tx: Tx,
  ownerId: Id,
  faceIds: readonly Id[],
  load: () => Promise<readonly FaceOutcome[]>,
  time: string,
): Promise<void> {
  await tx.rows(sql`
    select id
    from face_key
    where owner_id = ${ownerId} and id = any(${[...faceIds]}::bigint[])
    order by id
    for update
  `)
  const outcomes = await load()
  const ids = outcomes.map(({ id }) => id)
  const states = outcomes.map(({ state }) => codeOf(faceState, state))
  const reasons = outcomes.map(({ reason }) => reason?.slice(0, 100) ?? null)
  await tx.execute(sql`
    update face_key f
    set state = r.state, fail_reason = r.reason, version = f.version + 1, update_time = ${time}::timestamptz
    from unnest(
      ${ids}::bigint[], ${sqlArray('smallint', states)}, ${sqlArray('text', reasons)}
    ) as r(id, state, reason)
    where f.owner_id = ${ownerId}
      and f.id = r.id
      and ${notDeleted('f')}
      and f.state <> ${code(faceState, 'deleted')}
      and (f.state, coalesce(f.fail_reason, '')) is distinct from (r.state, coalesce(r.reason, ''))
  `)
}
