import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { loadDayKinds } from '#modules/system/server/public.ts'
import type { ParkingStay } from '../contract/stay.ts'
import { noRight, type MonthRight } from '../domain/month-right.ts'
import { findFeeRules } from './fee-rules.ts'
import { dueOfStay, type PricedStay, type StayDue } from './passage/stay-fee.ts'
import { findRights } from './month-right.ts'

export const pricedOf = (stay: ParkingStay): PricedStay => ({
  ...stay,
  paidFen: stay.paid,
  discountFen: stay.discount,
})

/** What cars owe at a moment; the prices and rights of each car park are read once. */
export async function duesOf(
  db: Db,
  scope: Scope,
  stays: readonly ParkingStay[],
  at: Moment,
): Promise<(stay: ParkingStay) => StayDue> {
  const byPark = Map.groupBy(stays, stay => stay.parkId)
  const [rules, kindOfDay, ...rights] = await Promise.all([
    findFeeRules(db, scope, [...byPark.keys()]),
    loadDayKinds(db, scope.ownerId),
    ...[...byPark].map(async ([parkId, inPark]) => ({
      parkId,
      rightOf: await findRights(
        db,
        scope.ownerId,
        inPark[0]?.projectCode ?? '',
        parkId,
        inPark.map(stay => stay.plateNo),
        at,
      ),
    })),
  ])
  const rightsByPark = new Map(rights.map(each => [each.parkId, each.rightOf]))
  const rulesByPark = Map.groupBy(rules, rule => rule.parkId)
  const rightOf = (parkId: Id, plate: string): MonthRight => rightsByPark.get(parkId)?.(plate) ?? noRight
  return stay =>
    dueOfStay(
      pricedOf(stay),
      rightOf(stay.parkId, stay.plateNo),
      at,
      rulesByPark.get(stay.parkId) ?? [],
      day => kindOfDay(day) === 'rest',
    )
}
