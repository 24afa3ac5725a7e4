import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { isHostCover, type Coupon, type CouponUse } from '../domain/coupons.ts'

export interface CouponsAsked {
  readonly parkId: Id
  readonly plateNos: readonly string[]
  readonly day: Day
  /** The stays that ask: what is kept for another one is not theirs. */
  readonly stayIds: readonly Id[]
  /** Locks them: what is decided by them holds until the end of the transaction. */
  readonly lock?: boolean | undefined
}

export interface StayOfCoupons {
  readonly stayId: Id
  readonly passNo: string
  readonly plateNo: string
}

export type RestoredCoupon = Pick<CouponUse, 'key' | 'discount'>

/** Where the coupons of plates are kept; `key` of a coupon is its number (C10.3, TKT-12). */
export interface StayCoupons {
  /**
   * Those that may be used at a car park on a day, by plate: not used, withdrawn or expired. Those kept for
   * an order of a stay that asks are still there, those kept for another stay are not.
   */
  find(db: Db, ownerId: Id, asked: CouponsAsked): Promise<ReadonlyMap<string, readonly Coupon[]>>
  /** Keeps them for an order that waits for its payment, so that nobody withdraws or uses them until then. */
  reserve(tx: Tx, scope: Scope, stay: StayOfCoupons, uses: readonly CouponUse[]): Promise<void>
  /**
   * Those kept for the stays and not used are free again: the order is confirmed not to be paid, the stay is
   * settled otherwise, or has ended.
   */
  release(tx: Tx, scope: Scope, stayIds: readonly Id[]): Promise<void>
  /** The payment of the stay went back: those it has used and that are valid on the day are unused again. */
  restore(tx: Tx, scope: Scope, stayId: Id, day: Day): Promise<readonly RestoredCoupon[]>
  /** Whether `use` would take all of them; it does until the end of the transaction. */
  canUse(tx: Tx, scope: Scope, stay: StayOfCoupons, uses: readonly CouponUse[]): Promise<boolean>
  /** 未使用 → 已使用 by a conditional update; refuses where one is not there any more. */
  use(tx: Tx, scope: Scope, stay: StayOfCoupons, uses: readonly CouponUse[]): Promise<void>
}

const none: StayCoupons = {
  find: async () => new Map(),
  reserve: async () => {},
  release: async () => {},
  restore: async () => [],
  canUse: async () => true,
  use: async () => {},
}

let tickets = none
let hostCovers = none

/** By the module that keeps coupons; without it no stay has any. */
export function registerStayCoupons(coupons: StayCoupons): void {
  tickets = coupons
}

/** Without what hosts pay: to put something else in their place. */
export const ticketCoupons = (): StayCoupons => tickets

/** By the module that bills hosts for what they pay of their visitors' parking (PRK-24). */
export function registerHostCovers(covers: StayCoupons): void {
  hostCovers = covers
}

async function findAll(db: Db, ownerId: Id, asked: CouponsAsked) {
  const [found, covers] = await Promise.all([
    tickets.find(db, ownerId, asked),
    hostCovers.find(db, ownerId, asked),
  ])
  if (!covers.size) return found
  const plates = [...new Set([...found.keys(), ...covers.keys()])]
  return new Map(plates.map(plate => [plate, [...(found.get(plate) ?? []), ...(covers.get(plate) ?? [])]]))
}

/** Each of the two with what is its own; nothing is asked of who has nothing. */
async function withEach<T>(
  uses: readonly CouponUse[],
  step: (kept: StayCoupons, own: readonly CouponUse[]) => Promise<T>,
): Promise<T[]> {
  const covers = uses.filter(isHostCover)
  const others = uses.filter(use => !isHostCover(use))
  return Promise.all([
    ...(others.length ? [step(tickets, others)] : []),
    ...(covers.length ? [step(hostCovers, covers)] : []),
  ])
}

const both: StayCoupons = {
  find: findAll,
  reserve: async (tx, scope, stay, uses) => {
    await withEach(uses, (kept, own) => kept.reserve(tx, scope, stay, own))
  },
  release: async (tx, scope, stayIds) => {
    await Promise.all([tickets.release(tx, scope, stayIds), hostCovers.release(tx, scope, stayIds)])
  },
  restore: async (tx, scope, stayId, day) => {
    const restored = await Promise.all([
      tickets.restore(tx, scope, stayId, day),
      hostCovers.restore(tx, scope, stayId, day),
    ])
    return restored.flat()
  },
  canUse: async (tx, scope, stay, uses) =>
    (await withEach(uses, (kept, own) => kept.canUse(tx, scope, stay, own))).every(Boolean),
  use: async (tx, scope, stay, uses) => {
    await withEach(uses, (kept, own) => kept.use(tx, scope, stay, own))
  },
}

export const stayCoupons = (): StayCoupons => both

interface CouponPlate {
  readonly id: Id
  readonly parkId: Id
  readonly plateNo: string
}

/** The coupons of stays that are inside; each car park is asked once. */
export async function findCoupons(
  db: Db,
  ownerId: Id,
  stays: readonly CouponPlate[],
  day: Day,
  lock?: boolean,
): Promise<(stay: Omit<CouponPlate, 'id'>) => readonly Coupon[]> {
  const found = await Promise.all(
    [...Map.groupBy(stays, stay => stay.parkId)].map(async ([parkId, inPark]) => {
      const plateNos = inPark.map(stay => stay.plateNo)
      const stayIds = inPark.map(stay => stay.id)
      return [parkId, await both.find(db, ownerId, { parkId, plateNos, day, stayIds, lock })] as const
    }),
  )
  const byPark = new Map(found)
  return ({ parkId, plateNo }) => byPark.get(parkId)?.get(plateNo) ?? []
}
