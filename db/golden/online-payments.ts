import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { padDigits, type Day } from '#kit/domain/day.ts'
import { addFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import {
  channel as channelChoice,
  notifySource,
  orderState,
  orderType,
  payMethod,
  payType,
} from '#modules/payments/contract/choices.ts'
import { resolvePayer, settle } from '#modules/payments/server/public.ts'
import type { GatewayOrder, OnlinePayment } from './gateway-files.ts'

export interface BillOfRoom {
  readonly code: string
  readonly bill: Id
}

type Payable = Awaited<ReturnType<typeof payableBills>>[number]
export type ChannelName = GatewayOrder['which']

/** A project whose bills are paid online, one after the other. */
export interface OnlineProject {
  readonly tx: Tx
  readonly scope: Scope
  readonly project: string
  /** Bills of rooms to pay, each once; `used`: how many of them are taken. */
  readonly unpaid: readonly BillOfRoom[]
  readonly progress: { used: number }
  readonly orders: GatewayOrder[]
  readonly deviations: object[]
}

export const compactDay = (at: Day | Moment): string => at.slice(0, 10).replaceAll('-', '')

async function insertPayOrder(
  { tx, scope, project }: OnlineProject,
  channel: ChannelName,
  orderNo: string,
  bill: Payable,
  at: Moment,
): Promise<{ id: Id; amount: Fen; title: string }> {
  const { row, owed } = bill
  const amount = addFen(owed.principal, owed.late)
  const payer = resolvePayer([bill], {})
  const lines = [{ billId: row.id, principal: owed.principal, late: owed.late }]
  const company = defined(
    await tx.one<{ name: string }>(
      sql`select company_name as name from property where owner_id = ${scope.ownerId}`,
    ),
  ).name
  const { id } = defined(
    await tx.one<{ id: Id }>(sql`
      insert into pay_order (
        owner_id, project_code, order_no, order_type, pay_type, amount, order_obj, order_body, order_main,
        payer_kind, payer_id, payer_name, lines, channel, code_url, expire_time, scan_time, state, create_time
      )
      values (
        ${scope.ownerId}, ${project}, ${orderNo}, ${code(orderType, 'bill')}, ${code(payType, 'qr')},
        ${formatYuan(amount)}, ${row.sourceName}, ${row.feeItemName}, ${company},
        ${payer.kind ? codeOf(payerSide, payer.kind) : null}, ${payer.id ?? null}, ${payer.name ?? null},
        ${JSON.stringify(lines)}, ${code(channelChoice, channel)}, '', ${at}, ${at},
        ${code(orderState, 'paying')}, ${at}
      )
      returning id
    `),
  )
  return { id, amount, title: `${company} ${row.feeItemName}` }
}

/** The next room's bill is paid by a channel; booked unless its callback is still to come. */
export async function payNextOnline(
  context: OnlineProject,
  channel: ChannelName,
  at: Moment,
  { booked = true }: { readonly booked?: boolean } = {},
): Promise<OnlinePayment | undefined> {
  const { tx, scope, unpaid, progress, orders } = context
  const sequence = progress.used++
  const bills = (
    await payableBills(tx, scope, [defined(unpaid[sequence]).bill], dayOfMoment(at), { lock: true })
  ).filter(bill => bill.row.payState === 'unpaid' && bill.row.state === 'normal')
  const [bill] = bills
  if (!bill) return undefined
  const no = `DD${compactDay(at)}9${String(sequence).padStart(5, '0')}`
  const prefix = channel === 'wechat' ? '4200' : '2026'
  const transactionId = `${prefix}00${compactDay(at)}${String(sequence).padStart(14, '0')}`
  const payment = { no, transactionId, at, ...(await insertPayOrder(context, channel, no, bill, at)) }
  if (booked) {
    await bookOnlinePayment(context, channel, payment, bills)
  }
  orders.push({ which: channel, p: payment })
  return payment
}

export async function bookOnlinePayment(
  { tx, scope, project }: OnlineProject,
  channel: ChannelName,
  payment: OnlinePayment,
  bills: readonly Payable[],
): Promise<void> {
  const { recordId } = await settle(tx, scope, {
    projectCode: project,
    type: 'payment',
    bills,
    allocations: bills.map(({ row, owed }) => ({
      billId: row.id,
      principal: owed.principal,
      late: owed.late,
    })),
    tenders: [{ method: channel, amount: payment.amount }],
    change: 0,
    toPrestore: 0,
    payer: resolvePayer(bills, {}),
    order: payment.id,
    at: payment.at,
    cashier: { id: 0, name: '线上' },
  })
  await tx.execute(sql`
    update pay_order
    set state = ${code(orderState, 'paid')}, transaction_id = ${payment.transactionId},
      paid_time = ${payment.at}, notify_source = ${code(notifySource, 'notified')},
      record_id = ${recordId}, pay_method = ${code(payMethod, channel)}
    where owner_id = ${scope.ownerId} and id = ${payment.id}
  `)
}

/** Pays so many of the next bills on a day. */
export async function payOnlineOn(
  context: OnlineProject,
  channel: ChannelName,
  day: Day,
  count: number,
): Promise<OnlinePayment[]> {
  const payments: OnlinePayment[] = []
  for (let i = 0; i < count && context.progress.used < context.unpaid.length; i++) {
    const { used } = context.progress
    const at: Moment = `${day} ${padDigits(8 + i)}:${padDigits((used * 13) % 60)}:${padDigits((used * 7) % 60)}`
    const payment = await payNextOnline(context, channel, at)
    if (payment) {
      payments.push(payment)
    }
  }
  return payments
}
