import { addDays } from '#kit/domain/day.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { codeOf, keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { toRefused } from '#kit/server/handler.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live, touch } from '#kit/server/sql.ts'
import { payRefusal, releaseBills, payableBills, type PayableBill } from '#modules/bills/server/public.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { notifySource, orderState, payMethod } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { companyWideProject, orderStates, judgePayment, type OrderState } from '../domain/order.ts'
import { menu } from '../module.ts'
import type { Channel } from './channels/channel-client.ts'
import { lockDays } from './day-lock.ts'
import { buildPaymentContext } from './payment-context.ts'
import { settle } from './settlement.ts'
import { getPayRules } from './settings.ts'
import { findSubjectData, orderSubjectOf, type ReceivedPayment, type OrderSubject } from './order-subjects.ts'
import { tenderProviderOf, onPaid, type PayMethod } from './tenders.ts'

/** The installation itself at work in a company. */
export const orderSystemScope = (owner: number, project = ''): Scope => ({
  ...systemScope(owner),
  projectCode: project,
  requestId: '',
})

const abnormalPaymentNotice = defineNotificationKind({
  key: 'payments.odd',
  label: '收款异常',
  group: 'todo',
  level: 'important',
})
const methodByChannel: Readonly<Record<Channel, PayMethod>> = {
  wechat: 'wechat',
  alipay: 'alipay',
  pos: 'posDebit',
}

const payMethodOf = (m: Pick<ChannelPayment, 'channel' | 'card'>): PayMethod =>
  m.channel === 'pos' && m.card === 'credit' ? 'posCredit' : methodByChannel[m.channel]

const stateCodeOf = (s: OrderState): number => Number(codeOf(orderState, s))
type ConfirmationSource = ChoiceOf<typeof notifySource>

/** One step of an order, where it still stands as the machine allows; whether it was taken. */
export async function transitionOrder(
  tx: Tx,
  scope: Scope,
  o: Pick<PayOrder, 'id' | 'projectCode' | 'orderNo'>,
  to: OrderState,
  more: Readonly<Record<string, unknown>> = {},
  reason?: string,
): Promise<boolean> {
  const cols = Object.entries(more)
  const was = await tx.one<{ state: number }>(
    sql`
      select state
      from pay_order
      where owner_id = ${scope.ownerId}
        and id = ${o.id}
        and state = any(${orderStates.previousStates(to).map(stateCodeOf)}::int[])
      for update
    `,
  )
  if (!was) return false
  await tx.execute(
    sql`
      update pay_order
      set state = ${stateCodeOf(to)},
        ${cols.length ? sql`${sql.join(cols.map(([k, v]) => sql`${sql.id(k)} = ${v}`))},` : sql``} ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${o.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'payOrder',
      entityId: o.id,
      projectCode: o.projectCode,
      before: { state: keyOf(orderState, was.state) },
      after: { state: to },
      reason,
    },
  ])
  return true
}

export interface ChannelPayment {
  readonly transactionId: string
  readonly amount: Fen
  readonly at?: Moment | undefined
  readonly channel: Channel
  readonly source: ConfirmationSource
  /** What a terminal read. */ readonly card?: 'debit' | 'credit' | undefined
}

const noticeProjectOf = (o: PayOrder): { readonly project?: string } =>
  o.projectCode === companyWideProject ? {} : { project: o.projectCode }

/**
 * PAY-6 and whatever cannot be booked: the order waits in 60 with its reason, and somebody is told, once for
 * each reason.
 */
async function holdForReview(tx: Tx, app: App, scope: Scope, o: PayOrder, why: string): Promise<void> {
  if (o.failReason === why.slice(0, 200)) return
  if (!(await transitionOrder(tx, scope, o, 'paying', { fail_reason: why.slice(0, 200) }, why))) {
    await tx.execute(
      sql`
        update pay_order
        set fail_reason = ${why.slice(0, 200)}, version = version + 1, update_time = now()
        where owner_id = ${scope.ownerId} and id = ${o.id}
      `,
    )
  }
  await audit(tx, scope, [
    { action: 'refused', entity: 'payOrder', entityId: o.id, projectCode: o.projectCode, reason: why },
  ])
  await notify(tx, app, scope.ownerId, {
    kind: abnormalPaymentNotice,
    to: { may: menu.refund.permissions.audit, ...noticeProjectOf(o) },
    title: `收款异常：${o.orderObj}`,
    text: `支付单 ${o.orderNo}：${why}`,
    bizId: o.id,
    ...noticeProjectOf(o),
  })
}

/**
 * The bills as the order found them, where each still owes what the order asks for it and nobody else holds
 * it.
 */
async function findStillOwed(
  tx: Tx,
  scope: Scope,
  o: PayOrder,
  now: Moment,
): Promise<readonly PayableBill[] | undefined> {
  if (!o.lines?.length) return []
  try {
    // As of the day on which the order was made: a late fee that grew over midnight was not asked for.
    const list = await payableBills(
      tx,
      scope,
      o.lines.map(l => l.billId),
      dayOfMoment(o.createTime ?? now),
      true,
    )
    const by = new Map(list.map(s => [s.row.id, s]))
    return o.lines.every(l => {
      const s = by.get(l.billId)!
      return (
        s.owed.principal >= l.principal && s.owed.late >= l.late && payRefusal(s.row, now, o.id) === undefined
      )
    })
      ? list
      : undefined
  } catch (e) {
    if (e instanceof Refused) return undefined
    throw e
  }
}

const bookableMoments = (paid: Moment | undefined, now: Moment): readonly Moment[] => [
  ...(paid && paid <= now ? [paid] : []),
  now,
  startOfDay(addDays(dayOfMoment(now), 1)),
]

/**
 * When the money counts: when it was paid, today where that day is closed, tomorrow where today is closed too
 * (CLO-3).
 */
async function findBookingMoment(
  tx: Tx,
  owner: number,
  project: string,
  paid: Moment | undefined,
  now: Moment,
): Promise<Moment> {
  const wished = bookableMoments(paid, now)
  const shut = new Set(
    (
      await tx.rows<{ day: string }>(
        sql`
          select day
          from day_close
          where owner_id = ${owner}
            and project_code = ${project}
            and closed
            and ${live()}
            and day = any(${wished.map(dayOfMoment)}::date[])
        `,
      )
    ).map(r => r.day),
  )
  return wished.find(m => !shut.has(dayOfMoment(m))) ?? wished.at(-1)!
}

/** PAY-5: what is paid twice, or for nothing that is owed, is the payer's to keep with us. */
async function creditToPrestore(
  tx: Tx,
  app: App,
  scope: Scope,
  o: PayOrder,
  m: ChannelPayment,
  at: Moment,
  why: 'double' | 'late' | 'odd',
): Promise<void> {
  const note = why === 'odd' ? '金额不符，已按渠道实收转入预存' : '重复支付，已转入预存'
  const purse = tenderProviderOf('prestore') ?? refuse('没有启用预存账户')
  const method = payMethodOf(m)
  const order = why === 'double' ? await createDuplicateOrder(tx, scope, o, '重复支付转预存') : o.id
  const bills = await tx.rows<{ id: number; type: number; code: string; item: number }>(
    sql`
      select id, source_type::int as type, source_code as code, fee_item_id as item
      from bill
      where owner_id = ${scope.ownerId} and id = any(${(o.lines ?? []).map(l => l.billId)})
    `,
  )
  const payer = { kind: o.payerKind, id: o.payerId, name: o.payerName }
  const done = await settle(tx, scope, {
    projectCode: o.projectCode,
    type: 'prestore',
    bills: [],
    allocations: [],
    tenders: [{ method, amount: m.amount }],
    change: 0,
    toPrestore: m.amount,
    payer,
    sourceName: o.orderObj,
    order,
    at,
    cashier: { id: o.cashierId ?? 0, name: o.cashierName ?? '' },
    remark: note,
    creditPrestore: (x, amount, recordId) =>
      purse.credit(
        x,
        scope,
        amount,
        {
          ...buildPaymentContext(
            recordId,
            o.projectCode,
            payer,
            bills.map(b => ({
              billId: b.id,
              sourceType: keyOf(sourceType, b.type)!,
              sourceCode: b.code,
              feeItemId: b.item,
              principal: 0,
              lateFee: 0,
            })),
          ),
          at,
        },
        'change',
      ),
  })
  await recordReceipt(tx, scope, o, order, m, at, done.recordId, note)
  await releaseBills(tx, scope.ownerId, o.id)
  if (why !== 'odd') {
    await notifyDoublePayment(tx, app, scope, o, m, '已转入付款人的预存，请核对是否要退')
  }
}

/** A second payment of one order gets an order of its own, by its own transaction. */
const createDuplicateOrder = async (tx: Tx, scope: Scope, o: PayOrder, body: string): Promise<number> =>
  (await tx.one<{
    id: number
  }>(sql`
    insert into pay_order (
      owner_id, project_code, order_no, order_type, pay_type, amount, order_obj, order_body, order_main,
      payer_kind, payer_id, payer_name, ref_type, ref_id, channel, expire_time, cashier_id, cashier_name,
      state
    )
    select owner_id, project_code, next_code('DD'), case order_type when 3 then 7 else order_type end,
      pay_type, amount, order_obj, ${body}, order_main, payer_kind, payer_id, payer_name, 'double', id,
      channel, expire_time, cashier_id, cashier_name, 20
    from pay_order
    where owner_id = ${scope.ownerId} and id = ${o.id}
    returning id
  `))!.id

/**
 * Writes down under which order, when and how money came: on the order itself, which is paid by it, or on its
 * twin.
 */
async function recordReceipt(
  tx: Tx,
  scope: Scope,
  o: PayOrder,
  order: number,
  m: ChannelPayment,
  at: Moment,
  record: number | undefined,
  note: string | undefined,
): Promise<void> {
  const paid = {
    transaction_id: m.transactionId,
    paid_time: m.at ?? at,
    notify_source: Number(codeOf(notifySource, m.source)),
    record_id: record ?? null,
    pay_method: Number(codeOf(payMethod, payMethodOf(m))),
    fail_reason: note ?? null,
  }
  if (order === o.id) {
    await markPaid(tx, scope, o, paid)
  } else {
    await tx.execute(
      sql`
        update pay_order
        set ${sql.join(Object.entries(paid).map(([k, v]) => sql`${sql.id(k)} = ${v}`))}
        where owner_id = ${scope.ownerId} and id = ${order}
      `,
    )
  }
}

const notifyDoublePayment = (
  tx: Tx,
  app: App,
  scope: Scope,
  o: PayOrder,
  m: ChannelPayment,
  where: string,
): Promise<unknown> =>
  notify(tx, app, scope.ownerId, {
    kind: abnormalPaymentNotice,
    to: { may: menu.refund.permissions.audit, ...noticeProjectOf(o) },
    title: `重复支付：${o.orderObj}`,
    text: `支付单 ${o.orderNo} 又收到 ${formatYuan(m.amount)} 元，${where}`,
    bizId: o.id,
    ...noticeProjectOf(o),
  })

/** What is no bill is booked by whoever sells it, once for each payment. */
async function bookSubjectPayment(
  tx: Tx,
  app: App,
  scope: Scope,
  s: OrderSubject,
  o: PayOrder,
  m: ChannelPayment,
  at: Moment,
  now: Moment,
  why: ReceivedPayment['outcome'],
): Promise<void> {
  const order = why === 'double' ? await createDuplicateOrder(tx, scope, o, '重复支付') : o.id
  const record = await s.paid(
    { tx, app: app, scope, now },
    o,
    await findSubjectData(tx, scope.ownerId, o.id),
    {
      orderId: order,
      amount: m.amount,
      at,
      method: payMethodOf(m),
      channel: m.channel,
      transactionId: m.transactionId,
      outcome: why,
    },
  )
  await recordReceipt(
    tx,
    scope,
    o,
    order,
    m,
    at,
    record,
    why === 'odd' ? '金额不符，已按渠道实收入账' : why === 'double' ? '重复支付，已入账' : undefined,
  )
  if (why === 'double') {
    await notifyDoublePayment(tx, app, scope, o, m, '已按同一用途入账，请核对是否要退')
  }
}

/** From every state from which money can come (PAY-5 too); a failed one goes through 60 again. */
async function markPaid(
  tx: Tx,
  scope: Scope,
  o: PayOrder,
  paid: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (o.state === 'failed') {
    await transitionOrder(tx, scope, o, 'paying')
  }
  if (!(await transitionOrder(tx, scope, o, 'paid', paid)))
    throw new Error(`order ${o.orderNo} cannot be paid from ${o.state}`)
}

/**
 * What the channel says it has got for an order: booked once, whoever brings the word and however often
 * (PAY-3).
 */
export async function confirmPayment(
  app: App,
  owner: number,
  orderId: number,
  m: ChannelPayment,
): Promise<void> {
  const now = fromInstant(app.clock())
  const work = (tx: Tx): Promise<void> => confirmPaymentIn(tx, app, owner, orderId, m, now)
  try {
    await app.database.tx(owner, work)
  } catch (e) {
    const no = toRefused(e)
    if (!no) throw e
    await app.database.tx(owner, async tx =>
      holdForReview(
        tx,
        app,
        orderSystemScope(owner),
        await requireById(tx, payOrder, orderSystemScope(owner), orderId, true),
        `渠道已收款，但不能入账：${no.message}`,
      ),
    )
  }
}

async function confirmPaymentIn(
  tx: Tx,
  app: App,
  owner: number,
  orderId: number,
  m: ChannelPayment,
  now: Moment,
): Promise<void> {
  const { projectCode } = await requireById(tx, payOrder, orderSystemScope(owner), orderId)
  await lockDays(tx, owner, projectCode, bookableMoments(m.at, now).map(dayOfMoment))
  const o = await requireById(tx, payOrder, orderSystemScope(owner), orderId, true)
  const scope = orderSystemScope(owner, o.projectCode)
  if (
    await tx.one(
      sql`
        select 1 as x
        from pay_order
        where owner_id = ${owner}
          and channel = (select channel from pay_order where owner_id = ${owner} and id = ${orderId})
          and transaction_id = ${m.transactionId}
          and ref_type = 'double'
          and ref_id = ${orderId}
      `,
    )
  )
    return
  const list =
    orderStates.canTransition(o.state, 'paid') || o.state === 'failed'
      ? await findStillOwed(tx, scope, o, now)
      : undefined
  const what = judgePayment(o, m, list !== undefined)
  if (what === 'known') return
  if (what === 'odd' && m.source !== 'manual')
    return holdForReview(
      tx,
      app,
      scope,
      o,
      `渠道实收 ${formatYuan(m.amount)} 元与订单 ${formatYuan(o.amount)} 元不符`,
    )
  const at = await findBookingMoment(tx, owner, o.projectCode, m.at, now)
  const subject = orderSubjectOf(o)
  if (subject)
    return bookSubjectPayment(tx, app, scope, subject, o, m, at, now, what === 'late' ? 'settle' : what)
  if (what !== 'settle') return creditToPrestore(tx, app, scope, o, m, at, what)
  await bookOrder(tx, scope, o, list!, m, at)
}

/** PAY-4 for an order whose money has come, and PAY-7 for one that asks for none. */
export async function bookOrder(
  tx: Tx,
  scope: Scope,
  o: PayOrder,
  list: readonly PayableBill[],
  m: ChannelPayment | undefined,
  at: Moment,
): Promise<void> {
  const rules = await getPayRules(tx, scope.ownerId, o.projectCode)
  const method = m ? payMethodOf(m) : 'other'
  const done = await settle(tx, scope, {
    projectCode: o.projectCode,
    type: m ? 'payment' : 'deduction',
    bills: list,
    allocations: (o.lines ?? []).map(l => ({ billId: l.billId, principal: l.principal, late: l.late })),
    tenders: [{ method, amount: o.amount }],
    change: 0,
    toPrestore: 0,
    waiveRemainingLateFee: rules.waiveRemainingLateFee,
    payer: { kind: o.payerKind, id: o.payerId, name: o.payerName },
    sourceName: o.orderObj,
    order: o.id,
    at,
    cashier: { id: o.cashierId ?? 0, name: o.cashierName ?? '' },
    remark: o.remark ?? (m ? undefined : '优惠抵扣'),
  })
  await markPaid(tx, scope, o, {
    transaction_id: m?.transactionId ?? null,
    paid_time: m?.at ?? at,
    notify_source: m ? Number(codeOf(notifySource, m.source)) : Number(codeOf(notifySource, 'offline')),
    record_id: done.recordId,
    pay_method: Number(codeOf(payMethod, method)),
    fail_reason: null,
  })
  await releaseBills(tx, scope.ownerId, o.id)
}

// C5.1: an order whose record went back whole is 已退款.
onPaid(async (tx, scope, p) => {
  if (p.kind !== 'refunded') return
  const o = await tx.one<{ id: number; projectCode: string; orderNo: string }>(
    sql`
      select o.id, o.project_code, o.order_no
      from pay_order o
      join pay_record r on r.owner_id = o.owner_id and r.pay_order_id = o.id
      where r.owner_id = ${scope.ownerId} and r.id = ${p.recordId} and r.state = 30 and o.state = 20
    `,
  )
  if (o) {
    await transitionOrder(tx, scope, o, 'refunded')
  }
})
