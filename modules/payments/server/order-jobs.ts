import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { codes } from '#kit/server/sql.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { orderState, refundState } from '../contract/choices.ts'
import { payRecord } from '../contract/record.ts'
import { feeRefund } from '../contract/refund.ts'
import { menu } from '../module.ts'
import { channelOfMethod } from './method-channel.ts'
import { getChannelClient } from './channels/channel-accounts.ts'
import type { ChannelRefundRequest } from './channels/channel-client.ts'
import { tradeNoOf } from './order-lookup.ts'
import { queryOrderAtChannel, closePayOrder, reloadOrder } from './order-query.ts'
import { orderSystemScope } from './order-state.ts'
import { finishRefund } from './refund-completion.ts'
import { failRefund, lockRefund } from './refund-state.ts'

interface DueItem {
  readonly ownerId: Id
  readonly id: Id
}

/** Days for which the numbers of callbacks are kept: a replay within them is refused. */
const noticeDays = 2

const openOrders = codes(orderState, 'waiting', 'paying')
const batchSize = 200
const concurrency = 8

/** Several at a time: channels are slow, and one that does not answer must not delay the others. */
async function forEachConcurrently(
  list: readonly DueItem[],
  app: App,
  signal: AbortSignal,
  work: (d: DueItem) => Promise<unknown>,
): Promise<void> {
  const remaining = [...list]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let dueItem = remaining.shift(); dueItem && !signal.aborted; dueItem = remaining.shift()) {
        try {
          await work(dueItem)
        } catch (err) {
          app.log.warn({ err: errorMessage(err), order: dueItem.id }, 'an order or refund was not brought on')
        }
      }
    }),
  )
}

/** Whose turn it is, taken by one process: asked again in ten minutes (PAY-3). So many a company at once. */
async function claimDue(app: App, table: 'pay_order' | 'fee_refund', states: Statement): Promise<DueItem[]> {
  const now = fromInstant(app.clock())
  const dueTable = sql.table(table)
  const isDue = sql`state in ${states} and query_time <= ${now}`
  const claimed = await forEachDueCompany(
    app.database,
    sql`select owner_id from ${dueTable} where ${isDue} group by owner_id order by min(query_time)`,
    (tx, ownerId) =>
      tx.rows<DueItem>(
        sql`
          update ${dueTable} as x
          set query_time = ${addMinutes(now, 10)}
          from (
            select id
            from ${dueTable}
            where owner_id = ${ownerId} and ${isDue}
            order by query_time
            limit ${batchSize}
            for update skip locked
          ) d
          where x.owner_id = ${ownerId} and x.id = d.id
          returning x.owner_id, x.id
        `,
      ),
  )
  return claimed.flat()
}

/** Queries orders that nobody polls any more, and closes those that have expired. */
export async function maintainOrders(app: App, signal: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  await forEachConcurrently(
    await claimDue(app, 'pay_order', openOrders),
    app,
    signal,
    async ({ ownerId, id }) => {
      await queryOrderAtChannel(app, ownerId, await reloadOrder(app, ownerId, id))
    },
  )
  const expired = await app.database.reader('*').rows<DueItem>(
    sql`
        select owner_id, id
        from pay_order
        where state in ${openOrders} and expire_time <= ${now} and fail_reason is null
        order by expire_time
        limit ${batchSize}
      `,
  )
  await forEachConcurrently(expired, app, signal, async ({ ownerId, id }) => {
    const order = await reloadOrder(app, ownerId, id)
    if (order.state === 'waiting' || order.state === 'paying') {
      await closePayOrder(
        app,
        ownerId,
        order,
        orderSystemScope(app, ownerId, order.projectCode),
        '超过 15 分钟未支付',
      )
    }
  })
}

const refundFailedNotice = defineNotificationKind({
  key: 'payments.refund',
  label: '线上退款失败',
  group: 'todo',
  level: 'important',
  entity: 'feeRefund',
})

/** REF-4: one refund, one number, queried until its end is known; until then it stays 处理中. */
export async function advanceRefund(app: App, ownerId: Id, id: Id): Promise<void> {
  const scope = orderSystemScope(app, ownerId)
  const db = app.database.reader(ownerId)
  const queued = await requireById(db, feeRefund, scope, id)
  if (queued.state !== 'doing' || queued.recordId === undefined) return
  const record = await requireById(db, payRecord, scope, queued.recordId)
  const recordChannel = channelOfMethod(record.payMethod)
  if (!recordChannel || record.payOrderId === undefined) return
  const order = await reloadOrder(app, ownerId, record.payOrderId)
  const client = await getChannelClient(app, ownerId, order.channel ?? recordChannel)
  const request: ChannelRefundRequest = {
    orderNo: tradeNoOf(order),
    refundNo: queued.tradeNo ?? queued.refundNo,
    amount: queued.amount,
    total: order.amount,
    reason: queued.reason,
  }
  const known = await client.queryRefund(request)
  const result = known.state === 'absent' ? await client.refund(request) : known
  if (result.state !== 'done' && result.state !== 'failed') return
  const finishedAt = fromInstant(app.clock())
  await app.database.tx(ownerId, async tx => {
    const refund = await lockRefund(tx, scope, id, finishedAt)
    const refundScope = orderSystemScope(app, ownerId, queued.projectCode)
    if (refund.state !== 'doing') return
    if (result.state === 'done') return finishRefund(tx, refundScope, refund, finishedAt, result.channelNo)
    await failRefund(tx, refundScope, refund, result.why)
    await notify(tx, app, ownerId, {
      kind: refundFailedNotice,
      to: { permission: menu.refund.permissions.audit, project: queued.projectCode },
      title: `退款失败：${queued.sourceName}`,
      text: `退款单 ${queued.refundNo}，${displayYuan(queued.amount)} 元：${result.why}`,
      bizId: queued.id,
      project: queued.projectCode,
    })
  })
}

export async function maintainRefunds(app: App, signal: AbortSignal): Promise<void> {
  await forEachConcurrently(
    await claimDue(app, 'fee_refund', codes(refundState, 'doing')),
    app,
    signal,
    ({ ownerId, id }) => advanceRefund(app, ownerId, id),
  )
}

export const orderCrons = [
  defineCron({
    name: 'payments-orders',
    schedule: '* * * * *',
    run: async (app, signal) => {
      await maintainOrders(app, signal)
      await maintainRefunds(app, signal)
    },
  }),
  defineCron({
    name: 'payments-notices',
    schedule: '15 4 * * *',
    run: async app => {
      const isOld = sql`create_time < ${new Date(app.clock() - noticeDays * 86_400_000)}`
      await forEachDueCompany(
        app.database,
        sql`select distinct owner_id from pay_notice where ${isOld}`,
        (tx, ownerId) => tx.execute(sql`delete from pay_notice where owner_id = ${ownerId} and ${isOld}`),
      )
    },
  }),
]
