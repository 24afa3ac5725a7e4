import type { Id } from '#kit/domain/id.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import type { ParkingStay } from '../contract/stay.ts'

/** What a booth took at an exit without an entry belongs to the record that it is merged into. */
export async function takeChargesOver(tx: Tx, scope: Scope, exit: ParkingStay, entryId: Id): Promise<void> {
  if (exit.paid === 0) return
  const paid = sql`paid + ${formatYuan(exit.paid)}::numeric`
  await tx.execute(sql`
    update parking_charge
    set stay_id = ${entryId}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and stay_id = ${exit.id}
  `)
  await tx.execute(sql`
    update parking_stay
    set paid = ${paid}, paid_time = coalesce(paid_time, ${exit.paidTime ?? null}::timestamptz),
      should_pay = greatest(should_pay, ${paid} + discount), ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${entryId}
  `)
}
