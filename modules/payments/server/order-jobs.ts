import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { cron } from '#kit/server/jobs.ts'
import { need } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import { noticeKind, notify } from '#modules/system/server/public.ts'
import { payRecord } from '../contract/record.ts'
import { feeRefund, type FeeRefund } from '../contract/refund.ts'
import { menu } from '../module.ts'
import { channelOf } from './channels.ts'
import { gateOf } from './gates/accounts.ts'
import type { Refunding } from './gates/gate.ts'
import { ask, close, freshOrder } from './order-ask.ts'
import { own } from './order-confirm.ts'
import { failed, finish, holdToday } from './refund.ts'

interface Due {
  readonly ownerId: number
  readonly id: number
}

const most = 200
const atOnce = 8

/** So many at a time: channels are slow, and one that does not answer must not hold up the others. */
async function each(
  list: readonly Due[],
  world: World,
  signal: AbortSignal,
  work: (d: Due) => Promise<unknown>,
): Promise<void> {
  const rest = [...list]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let d = rest.shift(); d && !signal.aborted; d = rest.shift()) {
        try {
          await work(d)
        } catch (err) {
          world.log.warn(
            { err: (err as Error).message, order: d.id },
            'an order or refund was not brought on',
          )
        }
      }
    }),
  )
}

/** Whose turn it is, taken by one process: asked again in ten minutes (PAY-3). */
const claim = (world: World, table: 'pay_order' | 'fee_refund', states: string): Promise<Due[]> => {
  const now = fromInstant(world.clock())
  const t = sql.table(table)
  return world.store.tx('*', tx =>
    tx.rows<Due>(
      sql`
        update ${t} as x
        set query_time = ${addMinutes(now, 10)}
        from (
          select owner_id, id
          from ${t}
          where state in ${sql.raw(states)} and query_time <= ${now}
          order by query_time
          limit ${most}
          for update skip locked
        ) d
        where x.owner_id = d.owner_id and x.id = d.id
        returning x.owner_id, x.id
      `,
    ),
  )
}

/** Orders nobody polls any more: asked for, and closed once their time is over. */
export async function tendOrders(world: World, signal: AbortSignal): Promise<void> {
  const now = fromInstant(world.clock())
  await each(await claim(world, 'pay_order', '(10, 60)'), world, signal, async ({ ownerId, id }) => {
    await ask(world, ownerId, await freshOrder(world, ownerId, id))
  })
  const over = await world.store.reader('*').rows<Due>(
    sql`
        select owner_id, id
        from pay_order
        where state in (10, 60) and expire_time <= ${now} and fail_reason is null
        order by expire_time
        limit ${most}
      `,
  )
  await each(over, world, signal, async ({ ownerId, id }) => {
    const o = await freshOrder(world, ownerId, id)
    if (o.state === 'waiting' || o.state === 'paying') {
      await close(world, ownerId, o, own(ownerId, o.projectCode), '超过 15 分钟未支付')
    }
  })
}

const went = noticeKind({ key: 'payments.refund', label: '线上退款失败', group: 'todo', level: 'important' })

/** REF-4: one refund, one number, asked for until it is known; an unknown end leaves it in 20. */
export async function bringRefund(world: World, owner: number, id: number): Promise<void> {
  const scope = own(owner)
  const db = world.store.reader(owner)
  const f = await need(db, feeRefund, scope, id)
  if (f.state !== 'doing') return
  const r = await need(db, payRecord, scope, f.recordId)
  const c = channelOf(r.payMethod)
  if (!c || r.payOrderId === undefined) return
  const o = await freshOrder(world, owner, r.payOrderId)
  const gate = await gateOf(world, owner, o.channel ?? c)
  const one: Refunding = {
    orderNo: o.orderNo,
    refundNo: f.refundNo,
    amount: f.amount,
    total: o.amount,
    reason: f.reason,
  }
  const known = await gate.refundQuery(one)
  const said = known.state === 'absent' ? await gate.refund(one) : known
  if (said.state !== 'done' && said.state !== 'failed') return
  const at = fromInstant(world.clock())
  await world.store.tx(owner, async tx => {
    await holdToday(tx, scope, feeRefund, id, at)
    const now = (await need(tx, feeRefund, scope, id, true)) as FeeRefund
    const mine = own(owner, f.projectCode)
    if (now.state !== 'doing') return
    if (said.state === 'done') return finish(tx, mine, now, at, said.channelNo)
    await failed(tx, mine, now, said.why)
    await notify(tx, world, owner, {
      kind: went,
      to: { may: menu.refund.may.audit, project: f.projectCode },
      title: `退款失败：${f.sourceName}`,
      text: `退款单 ${f.refundNo}，${formatYuan(f.amount)} 元：${said.why}`,
      bizId: f.id,
      project: f.projectCode,
    })
  })
}

export async function tendRefunds(world: World, signal: AbortSignal): Promise<void> {
  await each(await claim(world, 'fee_refund', '(20)'), world, signal, ({ ownerId, id }) =>
    bringRefund(world, ownerId, id),
  )
}

export const orderCrons = [
  cron({
    name: 'payments-orders',
    at: '* * * * *',
    run: async (world, signal) => {
      await tendOrders(world, signal)
      await tendRefunds(world, signal)
    },
  }),
  cron({
    name: 'payments-notices',
    at: '15 4 * * *',
    run: async world => {
      await world.store.tx('*', tx =>
        tx.run(sql`delete from pay_notice where create_time < now() - interval '2 days'`),
      )
    },
  }),
]
