import { Refused, refuse, wrong } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { greets, reads, writes, type Arriving } from '#kit/server/handle.ts'
import { inProject, outside } from '#kit/server/scope.ts'
import { insert, need, page } from '#kit/server/table.ts'
import { hold, standings } from '#modules/bills/server/public.ts'
import {
  acceptOrder,
  alipayCode,
  askOrder,
  closeOrder,
  createOrder,
  listOrders,
  oneOrder,
  orderRecord,
  payByCode,
  payLink,
  payOrder,
  pollOrder,
  wechatCode,
} from '../contract/order.ts'
import { payRecord } from '../contract/record.ts'
import { channelOfCode, noProject } from '../domain/order.ts'
import { gateFor } from './gates/accounts.ts'
import type { Channel } from './gates/gate.ts'
import { accept, apply, ask, askLately, begin, close } from './order-ask.ts'
import { book } from './order-confirm.ts'
import { askingOf, found, has, orderFor, scopeOf } from './order-find.ts'
import { dueOf, payable, payerOf, sameAmount } from './pay.ts'
import { dressed, detailsOf } from './record.ts'
import { freshNumber, viewOf } from './subjects.ts'
import { holdDays } from './settle.ts'
import { byCard } from './terminal.ts'

/** The channel's own picture for an order. */
async function picture(c: Arriving, orderNo: string, to: Channel): Promise<{ codeUrl: string }> {
  const owner = c.caller!.ownerId
  const mine = await orderFor(c, orderNo)
  await has(c, mine, to)
  const o = await begin(c.world, owner, mine, to, 'account')
  const gate = await gateFor(c.world, owner, o)
  return {
    codeUrl: await gate.code(askingOf(o)).catch(err => {
      if (err instanceof Refused) throw err
      c.world.log.warn({ err: (err as Error).message }, 'no code')
      return refuse('支付渠道没有给出二维码，请稍后重试')
    }),
  }
}

const about = (names: readonly string[], count: number): string => {
  const kinds = [...new Set(names)]
  return `${kinds.slice(0, 2).join('、')}${kinds.length > 2 || count > kinds.length ? `等 ${count} 笔` : ''}`.slice(
    0,
    200,
  )
}

export const orderHandlers = [
  writes(createOrder, async (input, { tx, scope, now, today }) => {
    if (!inProject(scope.domain, input.projectCode)) throw outside()
    await holdDays(tx, scope.ownerId, input.projectCode, [today])
    const list = await standings(tx, scope, input.billIds.map(Number), today, true)
    const due = dueOf(list)
    payable(list, input.projectCode, now)
    sameAmount(input.expectAmount, due)
    const payer = payerOf(list, { kind: input.payerKind, id: input.payerId, name: input.payerName })
    const sources = [...new Set(list.map(s => s.row.sourceName))]
    const company = await tx.one<{ name: string }>(
      sql`select company_name as name from property where owner_id = ${scope.ownerId}`,
    )
    const fresh = await freshNumber(tx, scope, 'bill', now)
    const made = await insert(tx, payOrder, scope, {
      ...fresh,
      projectCode: input.projectCode,
      orderType: 'bill',
      amount: due.total,
      orderObj: (sources.length > 2 ? `${sources[0]} 等 ${sources.length} 个` : sources.join('、')).slice(
        0,
        100,
      ),
      orderBody: about(
        list.map(s => s.row.feeItemName),
        list.length,
      ),
      orderMain: company?.name ?? '',
      payerKind: payer.kind,
      payerId: payer.id,
      payerName: payer.name,
      lines: list.map(s => ({ billId: s.row.id, principal: s.owed.principal, late: s.owed.late })),
      remark: input.remark,
      state: 'waiting',
    })
    await hold(tx, scope, list, made.id, fresh.expireTime, now)
    // PAY-7: nothing to pay is settled at once and seen by no channel.
    if (due.total === 0) {
      await book(tx, scope, made, list, undefined, now)
    }
    return viewOf(await need(tx, payOrder, scope, made.id))
  }),
  reads(payLink, async ({ orderNo }, { db, scope }) => viewOf(await found(db, scope, orderNo))),
  greets(pollOrder, async ({ orderNo }, c) =>
    viewOf(await askLately(c.world, c.caller!.ownerId, await orderFor(c, orderNo, 'view'))),
  ),
  greets(askOrder, async ({ orderNo }, c) =>
    viewOf(await ask(c.world, c.caller!.ownerId, await orderFor(c, orderNo))),
  ),
  greets(payByCode, async ({ orderNo, authCode, payType }, c) => {
    const said = authCode?.replace(/\s/g, '')
    // PayType 6: the terminal's number stands where a payer's code would.
    if (payType === 'pos')
      return said ? byCard(c, await orderFor(c, orderNo), said) : refuse('请选择一台 POS 机')
    if (!said) throw wrong([{ Field: 'AuthCode', Message: '条码不能为空' }])
    const to = channelOfCode(said)
    if (!to)
      throw wrong([{ Field: 'AuthCode', Message: '不是付款码，请扫描付款人手机上微信或支付宝的付款码' }])
    const owner = c.caller!.ownerId
    const mine = await orderFor(c, orderNo)
    await has(c, mine, to)
    const o = await begin(c.world, owner, mine, to, 'scanner')
    const gate = await gateFor(c.world, owner, o)
    // No answer is no refusal: the order stays in 60 and is asked for (PAY-8).
    const answer = await gate.byCode(askingOf(o), said).catch(err => {
      c.world.log.warn({ err: (err as Error).message, order: orderNo }, 'no answer to a code')
      return undefined
    })
    return viewOf(answer ? await apply(c.world, owner, o, answer, 'asked') : o)
  }),
  greets(wechatCode, ({ orderNo }, c) => picture(c, orderNo, 'wechat')),
  greets(alipayCode, ({ orderNo }, c) => picture(c, orderNo, 'alipay')),
  greets(closeOrder, async ({ orderNo }, c) => {
    const o = await orderFor(c, orderNo)
    if (o.state === 'closed' || o.state === 'failed') return viewOf(o)
    if (o.state === 'paid' || o.state === 'refunded')
      return refuse(
        o.state === 'paid' ? '这张支付单已经收到款，不能取消；要退请办理退款' : '这张支付单已退款',
      )
    const after = await close(c.world, c.caller!.ownerId, o, scopeOf(c), '收费员取消')
    if (after.state === 'paying') return refuse(`还不能取消：${after.failReason ?? '渠道没有确认未付款'}`)
    return viewOf(after)
  }),
  greets(acceptOrder, async ({ orderNo }, c) =>
    viewOf(await accept(c.world, c.caller!.ownerId, await orderFor(c, orderNo, 'any'))),
  ),
  reads(orderRecord, async ({ orderNo }, { db, scope }) => {
    const o = await found(db, scope, orderNo, 'view')
    if (o.recordId === undefined) return refuse('这张支付单还没有收到款')
    const [r] = await dressed(db, scope, [await need(db, payRecord, scope, o.recordId)])
    return { ...r!, details: await detailsOf(db, scope.ownerId, o.recordId) }
  }),
  reads(listOrders, (q, { db, scope }) =>
    page(db, payOrder, scope, q, {
      filters: [
        'orderType',
        'payType',
        'payMethod',
        'channel',
        'state',
        'amount',
        'createTime',
        'paidTime',
        'notifySource',
      ],
      sums: ['amount'],
      where: [sql`t.project_code <> ${noProject}`],
    }),
  ),
  reads(oneOrder, ({ id }, { db, scope }) => need(db, payOrder, scope, id)),
]
