import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { codeOf } from '#kit/contract/field.ts'
import { parseYuan } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { payState } from '#modules/bills/contract/choices.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import type { StepContext } from './order-context.ts'
import { applyStep, type OrderStep } from './transition.ts'

/** Payments know no app; screens that show an order hear of its payment through the one that runs. */
let runningApp: App | undefined

export const setRunningApp = (app: App): void => {
  runningApp = app
}

interface BilledCharge {
  readonly id: Id
  readonly orderId: Id
  readonly paid: string
  readonly payState: number
}

/** The costs whose bills a payment, its undoing or a refund touched. Uses work_order_charge_bill. */
const findBilled = (tx: Tx, ownerId: Id, billIds: readonly Id[]): Promise<BilledCharge[]> =>
  tx.rows<BilledCharge>(sql`
    select t.id, t.order_id, b.paid_principal::text as paid, b.pay_state
    from work_order_charge t
    join bill b on b.owner_id = ${ownerId} and b.id = t.bill_id
    where t.owner_id = ${ownerId} and t.bill_id = any(${[...billIds]}::bigint[])
    order by t.id
  `)

const stateAfter = (billed: BilledCharge, kind: 'paid' | 'undone' | 'refunded'): Charge['state'] => {
  if (billed.payState === codeOf(payState, 'paid')) return 'paid'
  return kind === 'refunded' ? 'refunded' : 'unpaid'
}

/** What an order makes of the news of its cost: it goes on once it is paid (C12.1). */
function stepOf(order: WorkOrder, state: Charge['state']): OrderStep {
  const set = { payState: state }
  if (state === 'paid')
    return order.state === 'unpaid'
      ? { action: 'pay', to: 'unrated', content: '已付款', set }
      : { action: 'note', content: '已付款', set }
  if (state === 'refunded' && order.state !== 'unpaid')
    return { action: 'refund', content: '费用已退款', set }
  return { action: 'note', content: state === 'refunded' ? '费用已退款' : '收款已作废，费用未付', set }
}

async function followPayment(
  tx: Tx,
  scope: Scope,
  billed: BilledCharge,
  kind: 'paid' | 'undone' | 'refunded',
): Promise<void> {
  // The clerk at the till may know nothing of work orders: this is the product's own step.
  const own = { ...systemScope(scope.ownerId, scope.time), operatorId: scope.operatorId, name: scope.name }
  const order = await requireById(tx, workOrder, own, billed.orderId, { lock: true })
  const owed = await requireById(tx, charge, own, billed.id, { lock: true })
  const state = stateAfter(billed, kind)
  if (owed.state === 'abolished' || owed.state === state) return
  const now = fromInstant(Date.parse(scope.time))
  await update(tx, charge, own, owed.id, {
    state,
    paidAmount: parseYuan(billed.paid),
    paidTime: state === 'paid' ? now : owed.paidTime,
  })
  const context: StepContext = {
    tx,
    scope: own,
    now,
    app: runningApp,
    actor: { kind: 'system', id: 0, name: scope.name },
  }
  await applyStep(context, order, stepOf(order, state))
}

onPaid(async (tx, scope, { billIds, kind }) => {
  if (!billIds.length) return
  for (const billed of await findBilled(tx, scope.ownerId, billIds)) {
    await followPayment(tx, scope, billed, kind)
  }
})
