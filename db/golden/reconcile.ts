import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { channel as channelChoice } from '#modules/payments/contract/choices.ts'
import type { ChannelLine } from '#modules/payments/server/public.ts'
import { channelBillState, handleResult, reconcileItemState } from '#modules/reconcile/contract/choices.ts'
import { ensureChannelBill, compareBill, replaceBillLines } from '#modules/reconcile/server/comparison.ts'
import { writeGatewayFiles, type GatewayOrder, type OnlinePayment } from './gateway-files.ts'
import {
  bookOnlinePayment,
  compactDay,
  payNextOnline,
  payOnlineOn,
  type BillOfRoom,
  type ChannelName,
  type OnlineProject,
} from './online-payments.ts'
import { untilSeeding } from './seed-day.ts'

const channelLineOf = (payment: OnlinePayment, amount = payment.amount): ChannelLine => ({
  kind: 'pay',
  orderNo: payment.no,
  transactionId: payment.transactionId,
  refundNo: '',
  amount,
  status: 'SUCCESS',
  at: payment.at,
})

/** The channel's bill of a day, fetched and compared on the next morning. */
async function putChannelBill(
  { tx, scope }: OnlineProject,
  channel: ChannelName,
  day: Day,
  lines: readonly ChannelLine[],
): Promise<Id> {
  const pulledAt = untilSeeding(scope, `${addDays(day, 1)} 10:20:08`)
  const channelBill = await ensureChannelBill(tx, scope.ownerId, Number(codeOf(channelChoice, channel)), day)
  await replaceBillLines(tx, scope.ownerId, channelBill, lines)
  await compareBill(tx, scope.ownerId, channelBill, pulledAt)
  await tx.execute(sql`
    update channel_bill
    set pull_time = ${pulledAt}, operator_name = '系统'
    where owner_id = ${scope.ownerId} and id = ${channelBill.id}
  `)
  return channelBill.id
}

/** Notes how the gateway's bill of a day differs from its orders. */
const deviate = (
  { deviations }: OnlineProject,
  channel: ChannelName,
  day: Day,
  kind: 'change' | 'leave' | 'add',
  no: string,
  amount: Fen,
): void => {
  deviations.push({ channel, day, slip: kind, no, refundNo: '', amount })
}

/** The callback of one more payment never came: the bill showed it, and it was booked from there. */
async function bookFromBill(context: OnlineProject, day: Day, lines: readonly ChannelLine[]): Promise<void> {
  const { tx, scope } = context
  const late = await payNextOnline(context, 'wechat', `${day} 20:14:09`, { booked: false })
  if (!late) return
  await putChannelBill(context, 'wechat', day, [...lines, channelLineOf(late)])
  const order = defined(
    await tx.one<{ lines: { billId: Id }[] }>(
      sql`select lines from pay_order where owner_id = ${scope.ownerId} and id = ${late.id}`,
    ),
  )
  const billIds = order.lines.map(line => line.billId)
  await bookOnlinePayment(
    context,
    'wechat',
    late,
    await payableBills(tx, scope, billIds, day, { lock: true }),
  )
  await putChannelBill(context, 'wechat', day, [...lines, channelLineOf(late)])
}

/** The channel shows more for one payment; a supervisor has dealt with the difference. */
async function handleDifference(
  context: OnlineProject,
  day: Day,
  lines: readonly ChannelLine[],
  supervisor: string,
): Promise<void> {
  const { tx, scope } = context
  const [first, ...others] = lines
  if (!first) return
  const changed = { ...first, amount: asFen(first.amount + 100) }
  const billId = await putChannelBill(context, 'wechat', day, [changed, ...others])
  deviate(context, 'wechat', day, 'change', first.orderNo, changed.amount)
  await tx.execute(sql`
    update reconcile_item
    set state = ${code(reconcileItemState, 'handled')}, handle_result = ${code(handleResult, 'harmless')},
      handle_note = '渠道随机立减由渠道承担，实收无误', handler_name = ${supervisor},
      handle_time = ${`${addDays(day, 2)} 09:40:00`}
    where owner_id = ${scope.ownerId} and bill_id = ${billId}
  `)
  await tx.execute(sql`
    update channel_bill
    set open_count = 0, state = ${code(channelBillState, 'same')}
    where owner_id = ${scope.ownerId} and id = ${billId}
  `)
}

/** The channel's bill lacks one payment and has one that the product does not know. */
async function leaveAndAdd(context: OnlineProject, day: Day, lines: readonly ChannelLine[]): Promise<void> {
  const unknown: ChannelLine = {
    kind: 'pay',
    orderNo: `DD${compactDay(day)}777777`,
    transactionId: `4200${compactDay(day)}77777777777777`,
    refundNo: '',
    amount: asFen(26_800),
    status: 'SUCCESS',
    at: `${day} 12:00:00`,
  }
  await putChannelBill(context, 'wechat', day, [...lines.slice(1), unknown])
  if (lines[0]) {
    deviate(context, 'wechat', day, 'leave', lines[0].orderNo, 0)
  }
  deviate(context, 'wechat', day, 'add', unknown.orderNo, unknown.amount)
}

/** One day of payments with the bills of both channels; `daysAgo` chooses what differs. */
async function seedDay(
  context: OnlineProject,
  today: Day,
  daysAgo: number,
  supervisor: string,
): Promise<void> {
  const day = addDays(today, -daysAgo)
  const toLines = (payments: readonly OnlinePayment[]) => payments.map(payment => channelLineOf(payment))
  const wechatLines = toLines(await payOnlineOn(context, 'wechat', day, 4 + (daysAgo % 3)))
  const alipayLines = toLines(await payOnlineOn(context, 'alipay', day, daysAgo === 3 ? 0 : 2))
  if (daysAgo === 3 && context.progress.used < context.unpaid.length) {
    await bookFromBill(context, day, wechatLines)
  } else if (daysAgo === 4 && wechatLines.length) {
    await handleDifference(context, day, wechatLines, supervisor)
  } else if (daysAgo === 1) {
    await leaveAndAdd(context, day, wechatLines)
  } else {
    await putChannelBill(context, 'wechat', day, wechatLines)
  }
  const [firstLine, secondLine] = alipayLines
  if (daysAgo === 2 && firstLine && secondLine) {
    const changed = { ...secondLine, amount: asFen(secondLine.amount - 1) }
    await putChannelBill(context, 'alipay', day, [firstLine, changed])
    deviate(context, 'alipay', day, 'change', changed.orderNo, changed.amount)
  } else {
    await putChannelBill(context, 'alipay', day, alipayLines)
  }
}

const findUnpaidBills = (tx: Tx, ownerId: Id, project: string, today: Day) =>
  tx.rows<BillOfRoom>(sql`
    select b.source_code as code, min(b.id) as bill
    from bill b
    where b.owner_id = ${ownerId}
      and b.project_code = ${project}
      and b.source_type = ${code(sourceType, 'room')}
      and b.state = ${code(billState, 'normal')}
      and b.pay_state = ${code(payState, 'unpaid')}
      and ${notDeleted('b')}
      and b.create_time < ${`${addDays(today, -20)} 00:00:00`}::timestamptz
    group by b.source_code
    order by min(b.source_name) collate "C"
    offset 150
    limit 40
  `)

/**
 * Four days of online payments beside the channels' bills: most agree; one order the callback never came for
 * was settled by the bill, one difference was dealt with, three wait. With a data folder the gateway
 * simulator knows the same days, so that pulling again finds the same.
 */
export async function seedReconcile(
  database: Database,
  scope: Scope,
  project: string,
  supervisor: string,
  dataDir: string | undefined,
  now = fromInstant(Date.now()),
): Promise<void> {
  const today: Day = dayOfMoment(now)
  const orders: GatewayOrder[] = []
  const deviations: object[] = []
  await database.tx(scope.ownerId, async tx => {
    const unpaid = await findUnpaidBills(tx, scope.ownerId, project, today)
    const context = { tx, scope, project, unpaid, progress: { used: 0 }, orders, deviations }
    for (let daysAgo = 4; daysAgo >= 1; daysAgo--) {
      await seedDay(context, today, daysAgo, supervisor)
    }
  })
  if (dataDir !== undefined) {
    writeGatewayFiles(dataDir, orders, deviations)
  }
}
