import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { saveSearchText } from '#kit/server/search-column.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findByIds, updateAll } from '#kit/server/table.ts'
import type { Resident } from '#modules/residents/contract/resident.ts'
import { onMobileChanged, onResidentsMerged } from '#modules/residents/server/public.ts'
import { car } from '../contract/car.ts'
import { carSearchText } from './cars.ts'

/** Cars of these people, in all projects, become the person's: with the name and the number of today. */
async function giveCars(tx: Tx, scope: Scope, userIds: readonly Id[], person: Resident): Promise<void> {
  const found = await tx.rows<{ id: Id }>(sql`
    select id
    from car
    where owner_id = ${scope.ownerId} and user_id = any(${[...userIds]}::bigint[]) and ${notDeleted()}
    order by id
  `)
  const wide = { ...scope, domain: unrestrictedDomain }
  const ids = found.map(({ id }) => id)
  const rows = await findByIds(tx, car, wide, ids, { lock: true })
  const values = { userId: person.id, ownerName: person.name, mobile: person.mobile }
  await updateAll(tx, car, wide, rows, values)
  for (const row of rows) {
    await saveSearchText(tx, car, wide, carSearchText, { ...row, ...values })
  }
}

onMobileChanged((tx, scope, person) => giveCars(tx, scope, [person.id], person))

onResidentsMerged(async (tx, scope, kept, merged) => {
  await giveCars(tx, scope, merged, kept)
  await tx.execute(sql`
    update car_group
    set user_id = ${kept.id}
    where owner_id = ${scope.ownerId} and user_id = any(${[...merged]}::bigint[])
  `)
})
