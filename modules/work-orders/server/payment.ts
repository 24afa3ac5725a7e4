import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { addFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import type { OrderView } from '#modules/payments/contract/order.ts'
import {
  lockDays,
  openBillOrder,
  recordIncome,
  registerBillOrderNeeds,
  registerOrderSubject,
  settle,
  startOrder,
  toOrderView,
} from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { isChargeDue } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { loadFunctions } from './function-settings.ts'
import { ensureBill } from './order-bill.ts'
import { assertNotRefunding } from './charge-bills.ts'
import { findCharge } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'
import { findWaitingOrder } from './pay-order.ts'

/** `refType` of a pay order for the bills of a work order. */
const billOrderRef = 'workOrder'

registerBillOrderNeeds(billOrderRef, menu.charge.permissions.pay)

/**
 * The day of the cashier and the bills of the order come before the order itself: a payment takes its locks
 * in that order and ends with the order (`followPayment`), so that neither waits for the other.
 */
export async function lockMoney({ tx, scope, today }: OrderContext, orderId: Id): Promise<void> {
  const { ownerId } = scope
  const order = await tx.one<{ projectCode: string }>(sql`
    select project_code from work_order where owner_id = ${ownerId} and id = ${orderId}
  `)
  if (!order) return
  await lockDays(tx, ownerId, order.projectCode, [today])
  await tx.rows(sql`
    select b.id
    from bill b
    where b.owner_id = ${ownerId}
      and b.ref_type = 'workOrder'
      and b.ref_id = ${orderId}
    order by b.id
    for update
  `)
}

/** The company's own people learn what to set right; a resident learns whom to ask. */
async function requireBills(c: OrderContext, order: WorkOrder, owed: Charge): Promise<readonly Id[]> {
  const outcome = await ensureBill(c, order, owed)
  if ('billIds' in outcome) return outcome.billIds
  return refuse(c.actor.kind === 'requester' ? '暂不能在线支付，请联系物业' : outcome.refusal)
}

/**
 * WO-8: the bill of the cost where there is none, and a pay order for it; the one that waits is answered
 * again. The caller has locked the day and the order.
 */
export async function startPayment(c: OrderContext, order: WorkOrder): Promise<OrderView> {
  const { tx, scope } = c
  const owed = await findCharge(tx, scope, order.id)
  if (!owed || owed.state === 'free') return refuse('工单没有需要支付的费用')
  if (owed.state === 'paid') return refuse('工单费用已支付')
  if (!isChargeDue(order)) return refuse('工单处理完成并验收后才能收款')
  await assertNotRefunding(tx, scope.ownerId, owed)
  const waiting = await findWaitingOrder(tx, scope, owed, c.now)
  if (waiting) return waiting
  const billIds = await requireBills(c, order, owed)
  if (!billIds.length) return refuse('工单没有需要支付的费用')
  const opened = await openBillOrder(c, {
    projectCode: order.projectCode,
    billIds,
    payer: {},
    remark: `工单 ${order.orderNo}`,
    ref: { type: billOrderRef, id: order.id },
  })
  await update(tx, charge, scope, owed.id, { payOrderId: opened.id })
  return toOrderView(opened)
}

/** WO-9: after the order is completed; apart from the company's income unless it says otherwise. */
export async function startReward(
  c: OrderContext,
  order: WorkOrder,
  input: { readonly amount: Fen; readonly remark?: string | undefined },
): Promise<OrderView> {
  const { tx, scope, now } = c
  const { reward } = await loadFunctions(tx, scope.ownerId)
  if (!reward.isOn) refuse('公司未开启打赏')
  if (order.state !== 'completed') refuse('工单完成评价后才能打赏')
  if (!order.handlerId) refuse('工单没有处理人，不能打赏')
  if (input.amount > 100_000) throw invalidField('Amount', '一次打赏最多 1000 元')
  const tip = await insert(tx, charge, scope, {
    projectCode: order.projectCode,
    orderId: order.id,
    buildCode: order.buildCode,
    chargeKind: 'reward',
    amount: input.amount,
    discountAmount: 0,
    paidAmount: 0,
    state: 'unpaid',
    chargeTime: now,
    remark: input.remark,
  })
  const started = await startOrder(c, {
    type: 'workOrder',
    projectCode: order.projectCode,
    amount: input.amount,
    object: order.address ?? order.orderNo,
    body: `工单打赏 ${order.orderNo}`,
    payer: { name: order.reporterName },
    ref: { type: 'workOrderReward', id: tip.id },
    remark: input.remark,
  })
  await update(tx, charge, scope, tip.id, { payOrderId: started.id })
  return started
}

// The tip is received whatever became of the order; what is paid twice is recorded as paid twice.
registerOrderSubject('workOrder', {
  needs: menu.charge.permissions.pay,
  paid: async ({ tx, scope }, order, _data, payment) => {
    const tip = await requireById(tx, charge, scope, defined(order.refId), { lock: true })
    const { rewardIncome } = await loadFunctions(tx, scope.ownerId)
    const settled = await settle(tx, scope, {
      projectCode: order.projectCode,
      type: 'deposit',
      bills: [],
      allocations: [],
      tenders: [{ method: payment.method, amount: payment.amount }],
      change: 0,
      toPrestore: 0,
      depositAmount: payment.amount,
      payer: { name: order.payerName },
      sourceName: order.orderObj,
      buildCode: tip.buildCode,
      order: payment.orderId,
      at: payment.at,
      cashier: { id: order.cashierId ?? 0, name: order.cashierName ?? '' },
      remark: `${order.orderBody}${rewardIncome.isOn ? '' : '（不计收入）'}`,
    })
    // It is held like a deposit, which is no income; what the company takes as its own is (C27-8).
    if (rewardIncome.isOn) {
      await recordIncome(tx, scope.ownerId, settled.recordId, payment.amount, payment.at)
    }
    await update(tx, charge, scope, tip.id, {
      paidAmount: addFen(tip.paidAmount, payment.amount),
      state: 'paid',
      paidTime: payment.at,
    })
    return settled.recordId
  },
})
