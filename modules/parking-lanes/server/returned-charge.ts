import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, displayYuan, formatYuan, negateFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Statement, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { chargeType, stayState } from '../contract/choices.ts'
import { describeReturned, discountOfUses, splitDiscounts } from './settle-stay.ts'
import { stayCoupons } from './stay-coupons.ts'

export interface BookedCharge {
  readonly id: Id
  readonly stayId: Id
  /** Of all charges of the record, those that returned it too. */
  readonly paid: Fen
  readonly discount: Fen
}

/** What was charged under a record of the books. */
export const findBookedCharge = (db: Db, ownerId: Id, recordId: Id): Promise<BookedCharge | undefined> =>
  db.one<BookedCharge>(sql`
    select min(c.id) as id, min(c.stay_id) as stay_id, (sum(c.paid_amount) * 100)::bigint as paid,
      (sum(c.coupon_amount + c.host_amount) * 100)::bigint as discount
    from parking_charge c
    where c.owner_id = ${ownerId} and c.record_id = ${recordId} and ${notDeleted('c')}
    having count(*) > 0
  `)

interface Returned {
  readonly paid: Fen
  /** By coupons and by the host, together. */
  readonly discount: Fen
  readonly byHost: Fen
  readonly coupons: string
  readonly reason: string
}

/** Of nobody who collects: what goes back is handed over by the cashier who paid it out. */
const insertReturn = (
  scope: Scope,
  chargeId: Id,
  { paid, discount, byHost, coupons, reason }: Returned,
  at: Moment,
): Statement => sql`
  insert into parking_charge (
    owner_id, project_code, stay_id, park_id, plate_no, charge_type, in_time, amount, coupon_amount,
    host_amount, paid_amount, pay_method, pay_time, explanation, cashier_name, order_id, order_no, record_id,
    coupons, create_by, update_by
  )
  select c.owner_id, c.project_code, c.stay_id, c.park_id, c.plate_no, ${codeOf(chargeType, 'returned')},
    c.in_time, ${formatYuan(addFen(paid, discount))}::numeric,
    ${formatYuan(subtractFen(discount, byHost))}::numeric, ${formatYuan(byHost)}::numeric,
    ${formatYuan(paid)}::numeric, c.pay_method, ${at}::timestamptz, ${reason}, ${scope.name},
    c.order_id, c.order_no, c.record_id, ${coupons || null}, ${scope.operatorId}, ${scope.operatorId}
  from parking_charge c
  where c.owner_id = ${scope.ownerId} and c.id = ${chargeId}
  returning id
`

/** A car that is still inside owes it again; one that has left keeps what it cost. */
const changeStay = (scope: Scope, stayId: Id, { paid, discount }: Returned): Statement => {
  const settled = sql`paid + discount + ${formatYuan(addFen(paid, discount))}::numeric`
  const isInside = sql`state in ${codes(stayState, 'inside', 'paid')}`
  return sql`
    update parking_stay
    set paid = paid + ${formatYuan(paid)}::numeric, discount = discount + ${formatYuan(discount)}::numeric,
      should_pay = case when ${isInside} then ${settled} else should_pay end,
      paid_time = case when ${isInside} and ${settled} = 0 then null else paid_time end,
      state = case when ${isInside} and ${settled} = 0 then ${code(stayState, 'inside')} else state end,
      ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${stayId}
    returning id
  `
}

/**
 * The charge of a record is what the books have kept of its money: what went back, or came again, is a charge
 * of its own. With all of the money its coupons go back, those that are still valid (TKT-12).
 */
export async function followRecord(
  tx: Tx,
  scope: Scope,
  charge: BookedCharge,
  kept: Fen,
  at: Moment,
): Promise<void> {
  const paid = subtractFen(kept, charge.paid)
  if (paid === 0) return
  const uses =
    kept === 0 && charge.discount > 0
      ? await stayCoupons().restore(tx, scope, charge.stayId, dayOfMoment(at))
      : []
  const returned: Returned = {
    paid,
    discount: negateFen(discountOfUses(uses)),
    byHost: negateFen(splitDiscounts(uses).byHost),
    coupons: uses.map(describeReturned).join('；'),
    reason: paid < 0 ? `退回停车费 ${displayYuan(negateFen(paid))} 元` : '退款撤销，恢复收费',
  }
  await tx.all(insertReturn(scope, charge.id, returned, at), changeStay(scope, charge.stayId, returned))
}
