import type { Id } from '#kit/domain/id.ts'
import { addFen, asFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { StayDue } from './passage/stay-fee.ts'
import { splitDiscounts } from './settle-stay.ts'

/** What is not paid in money, by who bears it: merchants, the host of a visit, the property. */
export interface StayDiscounts {
  readonly couponAmount: Fen
  readonly hostAmount: Fen
  readonly waivedAmount: Fen
}

/** The discounts of a stay: those of its charges until now, and those that the due amount counts with. */
export async function discountsOf(
  db: Db,
  ownerId: Id,
  stayId: Id,
  { couponUses }: Pick<StayDue, 'couponUses'>,
): Promise<StayDiscounts> {
  const settled = await db.one<{ coupons: number; host: number; waived: number }>(sql`
    select (coalesce(sum(coupon_amount), 0) * 100)::integer as coupons,
      (coalesce(sum(host_amount), 0) * 100)::integer as host,
      (coalesce(sum(waived_amount), 0) * 100)::integer as waived
    from parking_charge
    where owner_id = ${ownerId} and stay_id = ${stayId} and ${notDeleted()}
  `)
  const { byCoupons, byHost } = splitDiscounts(couponUses)
  return {
    couponAmount: addFen(asFen(settled?.coupons ?? 0), byCoupons),
    hostAmount: addFen(asFen(settled?.host ?? 0), byHost),
    waivedAmount: asFen(settled?.waived ?? 0),
  }
}
