import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { loadDayKinds } from '#modules/system/server/public.ts'
import type { ParkingStay } from '../contract/stay.ts'
import { findFeeRules } from './fee-rules.ts'
import { dueOfStay, type PricedStay, type StayDue } from './passage/stay-fee.ts'
import { findCoupons } from './stay-coupons.ts'
import { findStayRights } from './stay-rights.ts'

export const pricedOf = (stay: ParkingStay): PricedStay => ({
  ...stay,
  paidFen: stay.paid,
  discountFen: stay.discount,
})

/**
 * What cars owe at a moment; the prices, rights and coupons of each car park are read once. What is to be
 * settled by it locks the coupons, so that none is gone by then.
 */
export async function duesOf(
  db: Db,
  scope: Scope,
  stays: readonly ParkingStay[],
  at: Moment,
  { lock }: { readonly lock?: boolean } = {},
): Promise<(stay: ParkingStay) => StayDue> {
  const [rules, kindOfDay, rightOf, couponsOf] = await Promise.all([
    findFeeRules(db, scope, [...new Set(stays.map(stay => stay.parkId))]),
    loadDayKinds(db, scope.ownerId),
    findStayRights(db, scope.ownerId, stays, at),
    findCoupons(db, scope.ownerId, stays, dayOfMoment(at), lock),
  ])
  const rulesByPark = Map.groupBy(rules, rule => rule.parkId)
  return stay =>
    dueOfStay(pricedOf(stay), rightOf(stay), at, {
      rules: rulesByPark.get(stay.parkId) ?? [],
      isHoliday: day => kindOfDay(day) === 'rest',
      coupons: couponsOf(stay),
    })
}
