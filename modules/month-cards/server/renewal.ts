import { notFound, refuse, refuseField } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, insert, requireById, update } from '#kit/server/table.ts'
import { issueBatch, findOrderBills } from '#modules/bills/server/public.ts'
import { findPayerAt, loadSources, sourceKey } from '#modules/fees/server/public.ts'
import { car, type Car } from '#modules/parking/contract/car.ts'
import { payOrder, type OrderView } from '#modules/payments/contract/order.ts'
import {
  lockDays,
  openBillOrder,
  registerBillOrderNeeds,
  toOrderView,
} from '#modules/payments/server/public.ts'
import { monthOrderState } from '../contract/choices.ts'
import { monthOrder, type MonthOrder } from '../contract/month-order.ts'
import {
  getCarPayOrder,
  getMonthCarDetail,
  prepayMonthCard,
  quoteRenewal,
  renewCar,
} from '../contract/renewal.ts'
import { menu } from '../module.ts'
import { monthOrderRef } from './order-ref.ts'
import { priceRenewal, type PricedRenewal } from './price-renewal.ts'

registerBillOrderNeeds(monthOrderRef, menu.order.permissions.renew)

uniqueMessages({ park_month_order_waiting: '该车辆已有待支付的月卡订单，请先支付或取消' })

interface RenewalInput {
  readonly carId: Id
  readonly months: number
  readonly expectAmount: Fen
}

export type Context = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today'>

async function findWaiting({ tx, scope }: Context, carId: Id): Promise<MonthOrder | undefined> {
  const [waiting] = await findAll(
    tx,
    monthOrder,
    scope,
    {},
    { where: [sql`t.car_id = ${carId} and t.state = ${code(monthOrderState, 'pending')}`], limit: 1 },
  )
  return waiting
}

const refuseWaiting = ({ plateNo, months, amount }: MonthOrder): never =>
  refuse(`「${plateNo}」已有待支付的月卡订单（${months} 个月，${displayYuan(amount)} 元），请先支付或取消`)

/** The bill of an order: owed from today, by whom the car belongs to. */
async function issueBill(c: Context, row: Car, order: MonthOrder, priced: PricedRenewal): Promise<Id> {
  const { tx, scope, today } = c
  const source = { sourceType: 'car', sourceCode: String(row.id) } as const
  const located = (await loadSources(tx, scope.ownerId, row.projectCode, [source], today)).get(
    sourceKey(source),
  )
  if (!located) throw notFound()
  const { item, standard } = priced.standard
  const { ids } = await issueBatch(
    tx,
    scope,
    { project: row.projectCode, source: 'parking', state: 'normal' },
    'temporary',
    [
      {
        ...source,
        sourceName: located.name,
        buildCode: located.buildCode,
        payer: findPayerAt(located.source, order.newBegin),
        item,
        standardId: standard.id,
        begin: order.newBegin,
        end: order.newEnd,
        amount: order.amount,
        price: order.unitPrice,
        dueDate: today,
        canOverlap: true,
        order: { type: monthOrderRef, id: order.id },
        remark: `月卡 ${order.months} 个月`,
      },
    ],
    today,
    { message: `月卡 ${order.plateNo} ${order.months} 个月` },
  )
  return parseId(ids[0])
}

/** PRK-4: an order that waits for its payment, with its bill. The amount must be the screen's (PAY-1). */
export async function createOrder(
  c: Context,
  { carId, months, expectAmount }: RenewalInput,
): Promise<MonthOrder> {
  const { tx, scope, now, today } = c
  const row = await requireById(tx, car, scope, carId, { lock: true })
  const waiting = await findWaiting(c, carId)
  if (waiting) return refuseWaiting(waiting)
  const priced = await priceRenewal(tx, scope.ownerId, row, months, today)
  if (priced.amount !== expectAmount) {
    refuseField('ExpectAmount', `金额已变化，现为 ${displayYuan(priced.amount)} 元，请重新试算`)
  }
  const { standard, ...days } = priced
  const order = await insert(tx, monthOrder, scope, {
    projectCode: row.projectCode,
    carId,
    plateNo: row.plateNo,
    months,
    feeStandardId: standard.standard.id,
    feeStandardName: standard.standard.name,
    ...days,
    paidAmount: 0,
    orderTime: now,
    operatorName: scope.name,
    state: 'pending',
  })
  return update(tx, monthOrder, scope, order.id, { billId: await issueBill(c, row, order, priced) })
}

/** The pay order that waits for an order is answered again; else a new one holds the bills (PAY-1). */
async function startPayment(c: Context, order: MonthOrder): Promise<OrderView> {
  const { tx, scope, now } = c
  const [before] = order.payOrderId ? await findByIds(tx, payOrder, scope, [order.payOrderId]) : []
  const isWaiting = before?.state === 'waiting' || before?.state === 'paying'
  if (before && isWaiting && before.expireTime > now) return toOrderView(before)
  const bills = await findOrderBills(tx, scope.ownerId, monthOrderRef, order.id)
  const opened = await openBillOrder(c, {
    projectCode: order.projectCode,
    billIds: bills.filter(bill => !bill.isPaid).map(bill => bill.id),
    payer: {},
    remark: `月卡 ${order.plateNo} ${order.months} 个月`,
    ref: { type: monthOrderRef, id: order.id },
  })
  await update(tx, monthOrder, scope, order.id, { payOrderId: opened.id })
  return toOrderView(opened)
}

async function prepay(c: Context, input: RenewalInput): Promise<OrderView> {
  const { tx, scope, today } = c
  const { projectCode } = await requireById(tx, car, scope, input.carId)
  await lockDays(tx, scope.ownerId, projectCode, [today])
  const waiting = await findWaiting(c, input.carId)
  const isSame = waiting?.months === input.months && waiting.amount === input.expectAmount
  if (waiting && !isSame) return refuseWaiting(waiting)
  return startPayment(c, waiting ?? (await createOrder(c, input)))
}

export const renewalHandlers = [
  reads(quoteRenewal, async ({ carId, months }, { db, scope, today }) => {
    const row = await requireById(db, car, scope, carId)
    const { standard, unitPrice, oldEnd, newBegin, newEnd, amount } = await priceRenewal(
      db,
      scope.ownerId,
      row,
      months,
      today,
    )
    return {
      plateNo: row.plateNo,
      feeStandardName: standard.standard.name,
      unitPrice,
      oldEnd,
      newBegin,
      newEnd,
      amount,
    }
  }),
  writes(renewCar, (input, c) => createOrder(c, input)),
  writes(prepayMonthCard, (input, c) => prepay(c, input)),
  reads(getCarPayOrder, async ({ carId }, { db, scope }) => {
    await requireById(db, car, scope, carId)
    const [last] = await findAll(
      db,
      monthOrder,
      scope,
      { order: '-id' },
      { where: [sql`t.car_id = ${carId} and t.pay_order_id is not null`], limit: 1 },
    )
    if (!last?.payOrderId) throw notFound()
    return toOrderView(await requireById(db, payOrder, scope, last.payOrderId))
  }),
  reads(getMonthCarDetail, async ({ id }, { db, scope }) => {
    const [order] = await findAll(
      db,
      monthOrder,
      scope,
      {},
      {
        where: [
          sql`t.id = (
            select b.ref_id
            from bill b
            where b.owner_id = ${scope.ownerId} and b.id = ${id} and b.ref_type = ${monthOrderRef}
          )`,
        ],
        limit: 1,
      },
    )
    if (!order) throw notFound()
    return order
  }),
]
