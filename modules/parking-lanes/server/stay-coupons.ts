import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Coupon, CouponUse } from '../domain/coupons.ts'

export interface CouponsAsked {
  readonly parkId: Id
  readonly plateNos: readonly string[]
  readonly day: Day
}

export interface StayOfCoupons {
  readonly stayId: Id
  readonly passNo: string
  readonly plateNo: string
}

/** Where the coupons of plates are kept; `key` of a coupon is its number (C10.3, TKT-12). */
export interface StayCoupons {
  /**
   * Those that may be used at a car park on a day, by plate: not used, withdrawn or expired. Those kept for
   * an order of a plate's stay are still that plate's.
   */
  find(db: Db, ownerId: Id, asked: CouponsAsked): Promise<ReadonlyMap<string, readonly Coupon[]>>
  /** Keeps them for an order that waits for its payment, so that nobody withdraws or uses them until then. */
  reserve(tx: Tx, scope: Scope, stay: StayOfCoupons, uses: readonly CouponUse[]): Promise<void>
  /** The order of the stay is confirmed not to be paid. */
  release(tx: Tx, scope: Scope, stayId: Id): Promise<void>
  /** 未使用 → 已使用 by a conditional update; refuses where one is not there any more. */
  use(tx: Tx, scope: Scope, stay: StayOfCoupons, uses: readonly CouponUse[]): Promise<void>
}

const none: StayCoupons = {
  find: async () => new Map(),
  reserve: async () => {},
  release: async () => {},
  use: async () => {},
}

let registered = none

/** By the module that keeps coupons; without it no stay has any. */
export function registerStayCoupons(coupons: StayCoupons): void {
  registered = coupons
}

export const stayCoupons = (): StayCoupons => registered

interface CouponPlate {
  readonly parkId: Id
  readonly plateNo: string
}

/** The coupons of stays; each car park is asked once. */
export async function findCoupons(
  db: Db,
  ownerId: Id,
  stays: readonly CouponPlate[],
  day: Day,
): Promise<(stay: CouponPlate) => readonly Coupon[]> {
  const found = await Promise.all(
    [...Map.groupBy(stays, stay => stay.parkId)].map(async ([parkId, inPark]) => {
      const plateNos = inPark.map(stay => stay.plateNo)
      return [parkId, await registered.find(db, ownerId, { parkId, plateNos, day })] as const
    }),
  )
  const byPark = new Map(found)
  return ({ parkId, plateNo }) => byPark.get(parkId)?.get(plateNo) ?? []
}
