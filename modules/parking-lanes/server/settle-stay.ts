import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, displayYuan, formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Statement, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { chargeType, couponKind, parkPayMethod, stayState } from '../contract/choices.ts'
import type { ParkingStay } from '../contract/stay.ts'
import { isHostCover, type CouponUse } from '../domain/coupons.ts'
import { givePlaces } from './group-places.ts'
import { requestLaneOpen } from './lane-commands.ts'
import { closeStay } from './passage/write-passage.ts'
import type { StayDue } from './passage/stay-fee.ts'
import { stayCoupons } from './stay-coupons.ts'
import { sentenceOf } from './stay-sentence.ts'
import { passNoOf } from './stays.ts'
import { findWaitingLane, type WaitingLane } from './waiting-car.ts'

export interface PaidOrder {
  readonly id: Id
  readonly orderNo: string
}

/** What is paid of a stay at once, and what its coupons take off. */
export interface StaySettlement {
  readonly amount: Fen
  readonly uses: readonly CouponUse[]
  readonly payMethod: ChoiceOf<typeof parkPayMethod>
  readonly explanation: string
  readonly order?: PaidOrder | undefined
  /** What the booth lets off of the rest (PRK-10). */
  readonly waived?: Fen | undefined
}

export type SettledStay = Pick<
  ParkingStay,
  'id' | 'projectCode' | 'parkId' | 'plateNo' | 'inTime' | 'paid' | 'discount'
>

export const discountOfUses = (uses: readonly Pick<CouponUse, 'discount'>[]): Fen =>
  sumFen(uses.map(use => use.discount))

const describeUses = (uses: readonly CouponUse[]): string | null =>
  uses
    .map(use =>
      isHostCover(use)
        ? `被访人承担 ${displayYuan(use.discount)} 元`
        : `${labelOf(couponKind, use.kind)} ${use.key} 抵 ${displayYuan(use.discount)} 元`,
    )
    .join('；')
    .slice(0, 500) || null

/** What goes back of a use, with the money that was paid beside it. */
export const describeReturned = ({ key, discount }: Pick<CouponUse, 'key' | 'discount'>): string =>
  `退回 ${isHostCover({ key }) ? '被访人承担' : key} ${displayYuan(discount)} 元`

/** Of what is taken off, what coupons take and what the host of the visit pays (PRK-24). */
export const splitDiscounts = (uses: readonly Pick<CouponUse, 'key' | 'discount'>[]) => ({
  byCoupons: discountOfUses(uses.filter(use => !isHostCover(use))),
  byHost: discountOfUses(uses.filter(isHostCover)),
})

/** How a stay is settled that costs the driver nothing: by its coupons, or by the host alone. */
export function methodOfUses(uses: readonly CouponUse[]): 'coupon' | 'host' {
  const { byCoupons, byHost } = splitDiscounts(uses)
  return byHost > 0 && byCoupons === 0 ? 'host' : 'coupon'
}

/** What was collected for a stay, or settled by its coupons alone. */
const insertCharge = (
  scope: Scope,
  stay: SettledStay,
  { amount, uses, payMethod, explanation, order, waived = 0 }: StaySettlement,
  at: Moment,
): Statement<{ id: Id }> => {
  const { byCoupons, byHost } = splitDiscounts(uses)
  const isFirst = stay.paid === 0 && stay.discount === 0
  return sql<{ id: Id }>`
    insert into parking_charge (
      owner_id, project_code, stay_id, park_id, plate_no, charge_type, in_time, amount, coupon_amount,
      host_amount, waived_amount, paid_amount, pay_method, pay_time, explanation, cashier, cashier_name,
      order_id, order_no, coupons, create_by, update_by
    )
    values (
      ${scope.ownerId}, ${stay.projectCode}, ${stay.id}, ${stay.parkId}, ${stay.plateNo},
      ${codeOf(chargeType, isFirst ? 'stay' : 'more')}, ${stay.inTime ?? null}::timestamptz,
      ${formatYuan(addFen(amount, byCoupons, byHost, waived))}::numeric, ${formatYuan(byCoupons)}::numeric,
      ${formatYuan(byHost)}::numeric, ${formatYuan(waived)}::numeric,
      ${formatYuan(amount)}::numeric, ${codeOf(parkPayMethod, payMethod)}, ${at}::timestamptz,
      ${explanation.slice(0, 500)}, ${scope.operatorId || null}, ${scope.name}, ${order?.id ?? null},
      ${order?.orderNo ?? null}, ${describeUses(uses)}, ${scope.operatorId}, ${scope.operatorId}
    )
    returning id
  `
}

/** Where the money of a charge stands in the books. */
export const noteRecordOfCharge = (tx: Tx, scope: Scope, chargeId: Id, recordId: Id): Promise<number> =>
  tx.execute(sql`
    update parking_charge
    set record_id = ${recordId}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${chargeId}
  `)

/**
 * The coupons are used and the charge is written, in one round trip. What else was kept for the stay is free:
 * money of an order that waits is one too many now.
 */
export async function writeCharge(
  tx: Tx,
  scope: Scope,
  stay: SettledStay,
  settlement: StaySettlement,
  at: Moment,
): Promise<Id> {
  const { uses } = settlement
  const { id, plateNo } = stay
  const [charge] = await Promise.all([
    tx.one(insertCharge(scope, stay, settlement, at)),
    uses.length
      ? stayCoupons().use(tx, scope, { stayId: id, passNo: passNoOf(id), plateNo }, uses)
      : undefined,
    stayCoupons().release(tx, scope, [id]),
  ])
  return defined(charge).id
}

/** A stay that ends by its coupons alone: they are used, and the charge says so. */
export const settleByCoupons = (
  tx: Tx,
  scope: Scope,
  stay: SettledStay,
  owed: StayDue,
  at: Moment,
): Promise<Id> => {
  const uses = owed.couponUses
  const explanation = sentenceOf(stay, owed)
  const settlement = { amount: 0, uses, payMethod: methodOfUses(uses), explanation } as const
  return writeCharge(tx, scope, stay, settlement, at)
}

/** Its coupons take off all that is still owed. */
export const isCoveredByCoupons = ({ due, couponUses }: StayDue): boolean =>
  due === 0 && couponUses.length > 0

/** The stay is paid up to now: it may leave within the minutes for leaving (PRK-22). */
const markPaid = (
  scope: Scope,
  stay: SettledStay,
  { amount, uses, waived = 0 }: StaySettlement,
  at: Moment,
): Statement => {
  const discount = addFen(discountOfUses(uses), waived)
  const settled = addFen(stay.paid, stay.discount, amount, discount)
  return sql`
    update parking_stay
    set paid = paid + ${formatYuan(amount)}::numeric, discount = discount + ${formatYuan(discount)}::numeric,
      should_pay = ${formatYuan(settled)}::numeric, paid_time = ${at}::timestamptz,
      state = ${code(stayState, 'paid')}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${stay.id} and state in ${codes(stayState, 'inside', 'paid')}
    returning id
  `
}

async function letOut(
  tx: Tx,
  scope: Scope,
  stay: ParkingStay,
  lane: WaitingLane,
  shouldPay: Fen,
  at: Moment,
): Promise<void> {
  await tx.execute(
    closeStay(scope, {
      stayId: stay.id,
      inTime: stay.inTime ?? at,
      outTime: at,
      outLaneId: lane.laneId,
      shouldPay,
      exitKind: 'auto',
      reason: '缴费后放行',
    }),
  )
  await givePlaces(tx, scope, [stay], at)
  await requestLaneOpen(tx, scope, {
    laneId: lane.laneId,
    stayId: stay.id,
    plateNo: stay.plateNo,
    origin: 'payment',
    reason: '停车费已结清',
  })
}

export interface Settled {
  readonly chargeId: Id
  /** The exit that opens for the car, which waited there. */
  readonly openedLane?: string | undefined
}

/**
 * One way for all money of a stay, and for its coupons: the charge, what is paid, and, where the car waits at
 * an exit, the end of the stay with the barrier's command. All in the transaction in which the money counts;
 * the caller holds the passages and the stay (`lockStay`) and has checked what is due.
 */
export async function settleStay(
  tx: Tx,
  scope: Scope,
  stay: ParkingStay,
  settlement: StaySettlement,
  at: Moment,
): Promise<Settled> {
  const [marked, chargeId, lane] = await Promise.all([
    tx.one(markPaid(scope, stay, settlement, at)),
    writeCharge(tx, scope, stay, settlement, at),
    findWaitingLane(tx, scope, stay.id, at),
  ])
  if (!marked) return refuse(`「${stay.plateNo}」的记录已结束，请刷新列表`)
  if (!lane) return { chargeId }
  const { amount, uses, waived = 0 } = settlement
  const settled = addFen(stay.paid, stay.discount, amount, discountOfUses(uses), waived)
  await letOut(tx, scope, stay, lane, settled, at)
  return { chargeId, openedLane: lane.laneName }
}
