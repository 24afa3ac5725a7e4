import type { Id } from '#kit/domain/id.ts'
import { addMinutes } from '#kit/domain/moment.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { queueMessages } from '#modules/messaging/server/public.ts'
import { payOrder } from '#modules/payments/contract/order.ts'
import { toOrderView } from '#modules/payments/server/public.ts'
import {
  charge,
  chargeLine,
  chargeLines,
  charges,
  createPaymentOrder,
  createRewardOrder,
  exportChargeLines,
  exportCharges,
  getCharge,
  getChargeOfBill,
  refundCharge,
  remindPayment,
  type Charge,
} from '../contract/charge.ts'
import { chargeKind, chargeState } from '../contract/choices.ts'
import { isChargeDue } from '../domain/order-actions.ts'
import {
  assertNotRefunding,
  describeOpenRefunds,
  findChargeMoney,
  findRefunding,
  presentMoney,
} from './charge-bills.ts'
import { refundPaid } from './charge-end.ts'
import { orderMessages } from './outgoing-messages.ts'
import { findCharge } from './order-cost.ts'
import { staffContext, type OrderContext } from './order-context.ts'
import { orderRowConditions, requireOrder } from './order-access.ts'
import { lockMoney, startPayment, startReward } from './payment.ts'
import { linkOfOrder } from './resident-token.ts'
import { applyStep } from './transition.ts'

const remindMinutes = 10

/** What of each cost is asked back and not through yet: it is not asked for again. */
async function addRefunding(rows: readonly Charge[], db: Db, ownerId: Id): Promise<Charge[]> {
  const refunding = await findRefunding(db, ownerId, rows)
  return rows.map(row => ({ ...row, ...refunding.get(row.id) }))
}

export const chargeServer = joinServers(
  crudHandlers(charges, {
    // A tip is owed by nobody: it is there once it is paid (WO-9).
    filter: async (_, { db, scope }) => [
      sql`not (t.charge_kind = ${code(chargeKind, 'reward')} and t.state = ${code(chargeState, 'unpaid')})`,
      ...(await orderRowConditions(db, scope)),
    ],
    enrich: (rows, { db, scope }) => addRefunding(rows, db, scope.ownerId),
    export: exportCharges,
  }),
  crudHandlers(chargeLines, {
    filter: (_, { db, scope }) => orderRowConditions(db, scope),
    export: exportChargeLines,
  }),
)

type DetailContext = Pick<ReadContext, 'db' | 'scope' | 'today'>

/** The cost with what it is made of, its bill and its pay order. */
async function describeCharge({ db, scope, today }: DetailContext, found: Charge) {
  const order = await requireOrder(db, scope, found.orderId)
  const lines = await findAll(
    db,
    chargeLine,
    scope,
    { order: 'id' },
    {
      where: [sql`t.charge_id = ${found.id}`],
    },
  )
  const [payment] = found.payOrderId ? await findByIds(db, payOrder, scope, [found.payOrderId]) : []
  const [billed] = found.billId ? await findByIds(db, bill, scope, [found.billId]) : []
  return {
    ...found,
    orderState: order.state,
    lines,
    ...(payment ? { payOrder: toOrderView(payment) } : {}),
    ...(billed ? { billNo: billed.billNo } : {}),
    ...presentMoney(await findChargeMoney(db, scope, found, today)),
  }
}

async function lockedOrder(c: OrderContext, orderId: Charge['orderId']) {
  await lockMoney(c, orderId)
  return requireOrder(c.tx, c.scope, orderId, { lock: true })
}

/** WO-8: the link to pay by goes to the reporter's phone, once in ten minutes. */
async function remind(
  c: OrderContext,
  orderId: Charge['orderId'],
  origin: string | undefined,
): Promise<void> {
  const { tx, scope, now, app } = c
  const order = await requireOrder(tx, scope, orderId, { lock: true })
  const owed = await findCharge(tx, scope, orderId)
  if (owed?.state !== 'unpaid') return refuse('工单没有待付的费用')
  if (!isChargeDue(order)) return refuse('工单处理完成并验收后才能催付')
  await assertNotRefunding(tx, scope.ownerId, owed)
  const mobile = order.reporterPhone
  if (!mobile || !/^1\d{10}$/.test(mobile)) return refuse('工单没有报事人的手机号，不能发送催付短信')
  if (owed.remindTime !== undefined && addMinutes(owed.remindTime, remindMinutes) > now)
    return refuse(`${owed.remindTime} 已催付，${remindMinutes} 分钟内请勿重复催付`)
  await update(tx, charge, scope, owed.id, { remindTime: now })
  await applyStep(c, order, { action: 'note', content: '发送催付短信' })
  const link = await linkOfOrder(app, scope.ownerId, order.id)
  // A phone opens no address without its host.
  const url = `${origin ?? ''}${link.url}`
  const { queued } = await queueMessages(c, {
    source: orderMessages.payment.key,
    bizId: order.id,
    channel: 'sms',
    to: [{ kind: 'number', id: 0, projectCode: order.projectCode, name: order.reporterName, mobile }],
    message: {
      title: '工单催付',
      text: `工单 ${order.orderNo} 有待支付的费用，请打开链接支付：${url}`,
      template: 'workOrderPay',
      params: { orderNo: order.orderNo, url },
    },
  })
  if (!queued) refuse('报事人的手机号在短信黑名单中，请电话联系')
}

export const chargeHandlers = [
  reads(getCharge, async ({ id }, c) => describeCharge(c, await requireById(c.db, charge, c.scope, id))),
  reads(getChargeOfBill, async ({ recordId, billId }, c) => {
    const { db, scope } = c
    if (!recordId && !billId) return refuse('请提供收款记录或账单的编号')
    const [found] = await findAll(
      db,
      charge,
      scope,
      { order: '-id' },
      {
        where: [
          // Of the part of a split, the cost is that of the whole.
          billId
            ? sql`t.bill_id in (
              select b.run_root from bill b where b.owner_id = ${scope.ownerId} and b.id = ${billId}
            )`
            : sql`t.bill_id in (
              select b.run_root
              from pay_detail d
              join bill b on b.owner_id = ${scope.ownerId} and b.id = d.bill_id
              where d.owner_id = ${scope.ownerId} and d.record_id = ${recordId}
            )`,
        ],
        limit: 1,
      },
    )
    if (!found) throw notFound()
    return describeCharge(c, found)
  }),
  writes(createPaymentOrder, async ({ orderId }, context) => {
    const c = staffContext(context)
    return startPayment(c, await lockedOrder(c, orderId))
  }),
  writes(createRewardOrder, async ({ orderId, ...tip }, context) => {
    const c = staffContext(context)
    return startReward(c, await requireOrder(c.tx, c.scope, orderId, { lock: true }), tip)
  }),
  writes(remindPayment, ({ orderId }, context) => remind(staffContext(context), orderId, context.origin)),
  writes(refundCharge, async ({ orderId, reason }, context) => {
    const c = staffContext(context)
    await lockedOrder(c, orderId)
    const paid = await findCharge(c.tx, c.scope, orderId)
    const money = paid && (await findChargeMoney(c.tx, c.scope, paid, c.today))
    if (!paid || !money?.paid) return refuse('工单没有已支付的费用')
    if (!money.refundable) return refuse(`${describeOpenRefunds(money.refunds)}，请勿重复申请`)
    await refundPaid(c, paid, reason)
    // The refund may be through already, and have changed the order.
    const latest = await requireOrder(c.tx, c.scope, orderId, { lock: true })
    await applyStep(c, latest, { action: 'note', content: `申请退款：${reason}` })
    return requireById(c.tx, charge, c.scope, paid.id)
  }),
]
