import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, createdColumns, createdValues } from '#kit/server/sql.ts'
import { releaseBills, type PayableBill } from '#modules/bills/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { notifySource, orderState, orderType, payMethod, recordState } from '../contract/choices.ts'
import type { PayOrder } from '../contract/order.ts'
import type { Channel } from './channels/channel-client.ts'
import { orderPrefix } from './document-prefixes.ts'
import { notifyDoublePayment } from './order-review.ts'
import { assignColumns, markPaid, transitionOrder } from './order-state.ts'
import { findSubjectData, type OrderSubject, type ReceivedPayment } from './order-subjects.ts'
import { buildPaymentContext, type PaidPart } from './payment-context.ts'
import { settle, type SettleInput } from './settlement.ts'
import { getPayRules } from './settings.ts'
import { onPaid, requirePrestoreProvider, type PayMethod } from './tenders.ts'

/** Money that a channel says it has got; fen. */
export interface ChannelPayment {
  readonly transactionId: string
  readonly amount: Fen
  readonly at?: Moment | undefined
  readonly channel: Channel
  readonly source: ChoiceOf<typeof notifySource>
  /** What a terminal read. */
  readonly card?: 'debit' | 'credit' | undefined
}

/** Where a channel's money is booked: the transaction, for whom, for which order, at which time. */
export interface OrderBooking {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly order: PayOrder
  readonly payment: ChannelPayment
  /** When the money counts. */
  readonly bookingTime: Moment
}

const methodByChannel: Readonly<Record<Channel, PayMethod>> = {
  wechat: 'wechat',
  alipay: 'alipay',
  pos: 'posDebit',
}

const payMethodOf = ({ channel, card }: Pick<ChannelPayment, 'channel' | 'card'>): PayMethod =>
  channel === 'pos' && card === 'credit' ? 'posCredit' : methodByChannel[channel]

const payerOf = (order: PayOrder): SettleInput['payer'] => ({
  kind: order.payerKind,
  id: order.payerId,
  name: order.payerName,
})

const cashierOf = (order: PayOrder): SettleInput['cashier'] => ({
  id: order.cashierId ?? 0,
  name: order.cashierName ?? '',
})

/** PAY-4 for an order whose money has come, and PAY-7 (no payment) for one that asks for none. */
export async function bookOrder(
  tx: Tx,
  scope: Scope,
  order: PayOrder,
  bills: readonly PayableBill[],
  payment: ChannelPayment | undefined,
  at: Moment,
): Promise<void> {
  const rules = await getPayRules(tx, scope.ownerId, order.projectCode)
  const method = payment ? payMethodOf(payment) : 'other'
  const { recordId } = await settle(tx, scope, {
    projectCode: order.projectCode,
    type: payment ? 'payment' : 'deduction',
    bills,
    allocations: order.lines ?? [],
    tenders: [{ method, amount: order.amount }],
    change: 0,
    toPrestore: 0,
    waiveRemainingLateFee: rules.waiveRemainingLateFee,
    payer: payerOf(order),
    sourceName: order.orderObj,
    order: order.id,
    at,
    cashier: cashierOf(order),
    remark: order.remark ?? (payment ? undefined : '优惠抵扣'),
  })
  await markPaid(tx, scope, order, {
    transaction_id: payment?.transactionId ?? null,
    paid_time: payment?.at ?? at,
    notify_source: Number(codeOf(notifySource, payment?.source ?? 'offline')),
    record_id: recordId,
    pay_method: Number(codeOf(payMethod, method)),
    fail_reason: null,
  })
  await releaseBills(tx, scope.ownerId, order.id)
}

/** What the bills of an order are charged to, as parts of nothing: they only say whose account it is. */
async function findBillSources(tx: Tx, ownerId: Id, order: PayOrder) {
  const bills = await tx.rows<{ id: Id; type: number; code: string; item: Id }>(
    sql`
      select id, source_type::int as type, source_code as code, fee_item_id as item
      from bill
      where owner_id = ${ownerId} and id = any(${(order.lines ?? []).map(l => l.billId)})
    `,
  )
  return bills.map((bill): PaidPart => ({
    billId: bill.id,
    sourceType: defined(keyOf(sourceType, bill.type)),
    sourceCode: bill.code,
    feeItemId: bill.item,
    principal: 0,
    lateFee: 0,
  }))
}

/** PAY-5: what is paid twice, or for nothing that is owed, is kept as the payer's prestore. */
export async function creditToPrestore(
  booking: OrderBooking,
  outcome: 'double' | 'late' | 'odd',
): Promise<void> {
  const { tx, app, scope, order, payment, bookingTime: at } = booking
  const note = outcome === 'odd' ? '金额不符，已按渠道实收转入预存' : '重复支付，已转入预存'
  const provider = requirePrestoreProvider()
  const paidOrderId = outcome === 'double' ? await createDuplicateOrder(booking, '重复支付转预存') : order.id
  const sources = await findBillSources(tx, scope.ownerId, order)
  const { recordId } = await settle(tx, scope, {
    projectCode: order.projectCode,
    type: 'prestore',
    bills: [],
    allocations: [],
    tenders: [{ method: payMethodOf(payment), amount: payment.amount }],
    change: 0,
    toPrestore: payment.amount,
    payer: payerOf(order),
    sourceName: order.orderObj,
    order: paidOrderId,
    at,
    cashier: cashierOf(order),
    remark: note,
    creditPrestore: (inTx, amount, id) => {
      const context = buildPaymentContext(id, order.projectCode, payerOf(order), sources)
      return provider.credit(inTx, scope, amount, { ...context, at }, 'change')
    },
  })
  await recordReceipt(booking, paidOrderId, recordId, note)
  await releaseBills(tx, scope.ownerId, order.id)
  if (outcome !== 'odd') {
    await notifyDoublePayment(tx, app, scope, order, payment.amount, '已转入付款人的预存，请核对是否要退')
  }
}

const subjectNotes: Readonly<Record<ReceivedPayment['outcome'], string | undefined>> = {
  odd: '金额不符，已按渠道实收入账',
  double: '重复支付，已入账',
  settle: undefined,
}

/** What is no bill is booked by the module that sells it, once for each payment. */
export async function bookSubjectPayment(
  booking: OrderBooking,
  subject: OrderSubject,
  outcome: ReceivedPayment['outcome'],
  now: Moment,
): Promise<void> {
  const { tx, app, scope, order, payment, bookingTime: at } = booking
  const paidOrderId = outcome === 'double' ? await createDuplicateOrder(booking, '重复支付') : order.id
  const recordId = await subject.paid(
    { tx, app, scope, now },
    order,
    await findSubjectData(tx, scope.ownerId, order.id),
    {
      orderId: paidOrderId,
      amount: payment.amount,
      at,
      method: payMethodOf(payment),
      channel: payment.channel,
      transactionId: payment.transactionId,
      outcome,
    },
  )
  await recordReceipt(booking, paidOrderId, recordId, subjectNotes[outcome])
  if (outcome === 'double') {
    await notifyDoublePayment(tx, app, scope, order, payment.amount, '已按同一用途入账，请核对是否要退')
  }
}

/**
 * A second payment of one order gets an order of its own, by its own transaction; for bills one of prestore.
 */
async function createDuplicateOrder(
  { tx, scope, order, bookingTime }: OrderBooking,
  body: string,
): Promise<Id> {
  const orderNo = await tx.numbers.next(scope.ownerId, orderPrefix, dayOfMoment(bookingTime))
  const duplicate = await tx.one<{ id: Id }>(sql`
    insert into pay_order (
      ${createdColumns}, project_code, order_no, order_type, pay_type, amount, order_obj, order_body, order_main,
      payer_kind, payer_id, payer_name, ref_type, ref_id, channel, expire_time, cashier_id, cashier_name,
      state
    )
    select ${createdValues(scope)}, project_code, ${orderNo}::text,
      case order_type
        when ${code(orderType, 'bill')} then ${code(orderType, 'prestore')}
        else order_type
        end,
      pay_type, amount, order_obj, ${body}, order_main, payer_kind, payer_id, payer_name, 'double', id,
      channel, expire_time, cashier_id, cashier_name, ${code(orderState, 'paid')}
    from pay_order
    where owner_id = ${scope.ownerId} and id = ${order.id}
    returning id
  `)
  return defined(duplicate).id
}

/**
 * Writes how the money came: on the order, which is paid by it, or on its duplicate, which is paid already.
 */
async function recordReceipt(
  { tx, scope, order, payment, bookingTime: at }: OrderBooking,
  paidOrderId: Id,
  recordId: Id | undefined,
  note: string | undefined,
): Promise<void> {
  const columns = {
    transaction_id: payment.transactionId,
    paid_time: payment.at ?? at,
    notify_source: Number(codeOf(notifySource, payment.source)),
    record_id: recordId ?? null,
    pay_method: Number(codeOf(payMethod, payMethodOf(payment))),
    fail_reason: note ?? null,
  }
  if (paidOrderId === order.id) {
    await markPaid(tx, scope, order, columns)
  } else {
    await tx.execute(
      sql`
        update pay_order
        set ${assignColumns(columns)}
        where owner_id = ${scope.ownerId} and id = ${paidOrderId}
      `,
    )
  }
}

// C5.1: an order is 已退款 once all of its record has gone back.
onPaid(async (tx, scope, event) => {
  if (event.kind !== 'refunded') return
  const order = await tx.one<{ id: Id; projectCode: string; orderNo: string }>(
    sql`
      select o.id, o.project_code, o.order_no
      from pay_order o
      join pay_record r on r.owner_id = ${scope.ownerId} and r.pay_order_id = o.id
      where o.owner_id = ${scope.ownerId}
        and r.id = ${event.recordId}
        and r.state = ${code(recordState, 'refunded')}
        and o.state = ${code(orderState, 'paid')}
    `,
  )
  if (order) {
    await transitionOrder(tx, scope, order, 'refunded')
  }
})
