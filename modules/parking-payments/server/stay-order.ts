import { keysOf, type ChoiceOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, asFen, displayYuan, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { parkingStay, type ParkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { couponKind, type parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import {
  duesOf,
  isCoveredByCoupons,
  methodOfUses,
  isInside,
  lockStay,
  noteRecordOfCharge,
  passNoOf,
  sentenceOf,
  settleStay,
  stayCoupons,
  type CouponUse,
} from '#modules/parking-lanes/server/public.ts'
import { orderState } from '#modules/payments/contract/choices.ts'
import { payOrder, type OrderView, type PayOrder } from '#modules/payments/contract/order.ts'
import {
  refundPaidBills,
  registerOrderSubject,
  startOrder,
  toOrderView,
  type ReceivedPayment,
} from '#modules/payments/server/public.ts'
import { menu } from '../module.ts'
import { assertBookable, bookStayIncome } from './stay-income.ts'

/** What an order was made for, as it was then: its price holds until it expires. */
interface StayOrderData {
  readonly amount: Fen
  readonly uses: readonly CouponUse[]
  /** Paid and taken off before; another payment since makes the order one too many. */
  readonly settled: Fen
  readonly explanation: string
}

const settledOf = ({ paid, discount }: ParkingStay): Fen => addFen(paid, discount)

const channelMethods: Readonly<Record<string, ChoiceOf<typeof parkPayMethod>>> = {
  wechat: 'wechat',
  alipay: 'alipay',
}

const isWaiting = ({ state }: Pick<PayOrder, 'state'>): boolean => state === 'waiting' || state === 'paying'

/** Orders for a stay that may still be paid. */
const findOpenOrders = (db: Db, ownerId: Id, stayId: Id): Promise<PayOrder[]> =>
  findAll(
    db,
    payOrder,
    systemScope(ownerId, ''),
    { order: '-id' },
    {
      where: [
        sql`t.ref_type = ${parkingStay.name} and t.ref_id = ${stayId}`,
        sql`t.state in ${codes(orderState, 'waiting', 'paying')}`,
      ],
      limit: 20,
    },
  )

/** The order at whose price the stay may still be paid: nothing was paid since it was made. */
async function findWaitingOrder(
  { tx, scope, now }: PayContext,
  stay: ParkingStay,
): Promise<PayOrder | undefined> {
  const [latest] = await findOpenOrders(tx, scope.ownerId, stay.id)
  if (!latest || latest.expireTime <= now) return undefined
  const paidSince = stay.paidTime !== undefined && stay.paidTime >= (latest.createTime ?? now)
  return paidSince ? undefined : latest
}

export type PayContext = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'app'>

export type StartedPayment =
  | { readonly kind: 'order'; readonly order: OrderView }
  | { readonly kind: 'covered'; readonly stay: ParkingStay }

/**
 * An order for what a stay owes, its coupons kept for it (TKT-12). The one that waits is answered again,
 * unless less is owed by now.
 * Where the coupons cover all there is nothing to pay: they are used at once.
 */
export async function startStayPayment(c: PayContext, stayId: Id, amount: Fen): Promise<StartedPayment> {
  const { tx, scope, now } = c
  const stay = await lockStay(tx, scope, stayId)
  if (!isInside(stay)) return refuse('车辆已出场，无需缴费')
  const owed = (await duesOf(tx, scope, [stay], now, { lock: true }))(stay)
  const waiting = await findWaitingOrder(c, stay)
  if (waiting && waiting.amount <= owed.due) return { kind: 'order', order: toOrderView(waiting) }
  if (owed.due !== amount)
    return refuseField('Amount', `待缴金额已变为 ${displayYuan(owed.due)} 元，请重新查询后支付`)
  const explanation = sentenceOf(stay, owed)
  const uses = owed.couponUses
  if (isCoveredByCoupons(owed)) {
    const covered = { amount: 0, uses, payMethod: methodOfUses(uses), explanation } as const
    await settleStay(tx, scope, stay, covered, now)
    return { kind: 'covered', stay }
  }
  if (amount <= 0) return refuse('无需缴费')
  await assertBookable(tx, scope)
  const data: StayOrderData = { amount, uses, settled: settledOf(stay), explanation }
  const order = await startOrder(c, {
    type: 'parking',
    projectCode: stay.projectCode,
    amount,
    object: stay.plateNo,
    body: `停车费 ${stay.parkName ?? ''}`.trim(),
    payer: { name: stay.plateNo },
    ref: { type: parkingStay.name, id: stay.id },
    subjectData: { ...data },
    remark: explanation.slice(0, 200),
  })
  if (uses.length) {
    const { id, plateNo } = stay
    await stayCoupons().reserve(tx, scope, { stayId: id, passNo: passNoOf(id), plateNo }, uses)
  }
  return { kind: 'order', order }
}

/** Of what was written with the order. */
function parseUse(value: unknown): CouponUse[] {
  if (typeof value !== 'object' || value === null) return []
  const { key, kind, discount }: Partial<Record<keyof CouponUse, unknown>> = value
  const known = keysOf(couponKind).find(each => each === kind)
  return typeof key === 'string' && known ? [{ key, kind: known, discount: asFen(Number(discount)) }] : []
}

const parseUses = (uses: unknown): readonly CouponUse[] =>
  Array.isArray(uses) ? uses.flatMap((use: unknown) => parseUse(use)) : []

const parseData = (data: Readonly<Record<string, unknown>>): StayOrderData => ({
  amount: asFen(Number(data.amount ?? 0)),
  settled: asFen(Number(data.settled ?? 0)),
  uses: parseUses(data.uses),
  explanation: String(data.explanation ?? ''),
})

/** Why the money of an order does not go to its stay; nothing when it does. */
function refundReason(
  stay: ParkingStay | undefined,
  data: StayOrderData,
  outcome: ReceivedPayment['outcome'],
): string | undefined {
  if (outcome === 'double') return '停车费重复支付，原路退回'
  if (outcome === 'odd') return '停车费支付金额不符，原路退回'
  if (!stay || !isInside(stay)) return '支付时车辆已出场，原路退回'
  return settledOf(stay) === data.settled ? undefined : '停车费已由其他方式缴纳，原路退回'
}

/** Where coupons of the order are gone, its price does not hold any more. */
async function couponReason(
  tx: Tx,
  scope: Scope,
  { id, plateNo }: ParkingStay,
  order: PayOrder,
  { uses }: StayOrderData,
): Promise<string | undefined> {
  if (!isWaiting(order)) return undefined
  const isUsable = await stayCoupons().canUse(tx, scope, { stayId: id, passNo: passNoOf(id), plateNo }, uses)
  return isUsable ? undefined : '支付单的停车券已失效，原路退回'
}

/** Its money goes back; the coupons are free unless another order of the stay waits with them (TKT-12). */
async function releaseAfter(tx: Tx, scope: Scope, order: PayOrder, stay: ParkingStay): Promise<void> {
  const open = isInside(stay) ? await findOpenOrders(tx, scope.ownerId, stay.id) : []
  if (open.some(({ id }) => id !== order.id)) return
  await stayCoupons().release(tx, scope, [stay.id])
}

/** The stay takes the money; coupons of an order that had ended are not kept any more. */
async function settleByOrder(
  tx: Tx,
  scope: Scope,
  stay: ParkingStay,
  order: PayOrder,
  data: StayOrderData,
  payment: ReceivedPayment,
  at: Moment,
): Promise<Id> {
  const { chargeId } = await settleStay(
    tx,
    { ...scope, name: '线上缴费' },
    stay,
    {
      amount: payment.amount,
      uses: isWaiting(order) ? data.uses : [],
      payMethod: channelMethods[payment.method] ?? 'card',
      explanation: data.explanation,
      order: { id: payment.orderId, orderNo: order.orderNo },
    },
    at,
  )
  return chargeId
}

registerOrderSubject('parking', {
  needs: menu.payment.permissions.view,
  paid: async ({ tx, scope, now }, order, subjectData, payment) => {
    const data = parseData(subjectData)
    const stay = await lockStay(tx, scope, defined(order.refId))
    const reason =
      refundReason(stay, data, payment.outcome) ?? (await couponReason(tx, scope, stay, order, data))
    const chargeId =
      reason === undefined ? await settleByOrder(tx, scope, stay, order, data, payment, now) : undefined
    const booked = await bookStayIncome(tx, scope, {
      stay,
      amount: payment.amount,
      method: payment.method,
      at: payment.at,
      order: payment.orderId,
      cashier: { id: order.cashierId ?? 0, name: order.cashierName ?? '' },
      remark: order.remark,
    })
    if (!booked) return refuse('没有临停类收费项目，请先在「收费项目」中新增')
    const { billId, recordId } = booked
    if (chargeId !== undefined) {
      await noteRecordOfCharge(tx, scope, chargeId, recordId)
    }
    if (reason !== undefined) {
      await releaseAfter(tx, scope, order, stay)
      await refundPaidBills(tx, scope, [billId], reason, now)
    }
    return recordId
  },
  unpaid: async (tx, scope, order) => {
    const stayId = defined(order.refId)
    const others = await findOpenOrders(tx, scope.ownerId, stayId)
    if (others.some(other => other.id !== order.id && other.expireTime > order.expireTime)) return
    await stayCoupons().release(tx, scope, [stayId])
  },
})

/** An order of a stay, by its number in a receipt. */
export async function findStayOrder(db: Db, ownerId: Id, orderId: Id): Promise<PayOrder | undefined> {
  const [order] = await findByIds(db, payOrder, systemScope(ownerId, ''), [orderId])
  return order?.refType === parkingStay.name ? order : undefined
}
