import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { codeOf } from '#kit/contract/field.ts'
import { parseYuan } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { canApply } from '../domain/order-actions.ts'
import type { StepContext } from './order-context.ts'
import { applyStep, type OrderStep } from './transition.ts'

/** Payments know no app; screens that show an order hear of its payment through the one that runs. */
let runningApp: App | undefined

export const setRunningApp = (app: App): void => {
  runningApp = app
}

type PaymentKind = 'paid' | 'undone' | 'refunded'

interface BilledCharge {
  readonly id: Id
  readonly orderId: Id
  readonly paid: string
  readonly unpaid: string
  readonly state: number
  readonly payState: number
}

/** The costs whose bills a payment, its undoing or a refund touched. Uses work_order_charge_bill. */
const findBilled = (tx: Tx, ownerId: Id, billIds: readonly Id[]): Promise<BilledCharge[]> =>
  tx.rows<BilledCharge>(sql`
    select t.id, t.order_id, b.paid_principal::text as paid, b.unpaid_principal::text as unpaid,
      b.state, b.pay_state
    from work_order_charge t
    join bill b on b.owner_id = ${ownerId} and b.id = t.bill_id
    where t.owner_id = ${ownerId} and t.bill_id = any(${[...billIds]}::bigint[])
    order by t.id
  `)

/** A cost is given back only with its bill: one whose bill is owed again is to be paid again. */
function stateAfter(billed: BilledCharge): Charge['state'] {
  if (billed.state === codeOf(billState, 'abolished')) return 'refunded'
  return billed.payState === codeOf(payState, 'paid') ? 'paid' : 'unpaid'
}

function describePayment(state: Charge['state'], kind: PaymentKind, billed: BilledCharge): string {
  if (kind === 'refunded' && state !== 'unpaid') return '费用已退款'
  if (state === 'paid') return '已付款'
  const { paid, unpaid } = billed
  const rest = parseYuan(paid) > 0 ? `已付 ${paid} 元，尚欠 ${unpaid} 元` : '费用未付'
  if (kind === 'paid') return rest
  return kind === 'refunded' ? `费用已退款，恢复欠费：${rest}` : `收款已作废，${rest}`
}

/** What an order makes of the news of its cost: it goes on once it is paid (C12.1), or given back whole. */
function stepOf(order: WorkOrder, state: Charge['state'], kind: PaymentKind, content: string): OrderStep {
  const step = { content, set: { payState: state } }
  const goesOn = order.state === 'unpaid' && state !== 'unpaid'
  if (kind === 'refunded' && canApply('refund', order.state))
    return { ...step, action: 'refund', ...(goesOn ? { to: 'unrated' } : {}) }
  return goesOn ? { ...step, action: 'pay', to: 'unrated' } : { ...step, action: 'note' }
}

async function followPayment(tx: Tx, scope: Scope, billed: BilledCharge, kind: PaymentKind): Promise<void> {
  // The clerk at the till may know nothing of work orders: this is the product's own step.
  const own = { ...systemScope(scope.ownerId, scope.time), operatorId: scope.operatorId, name: scope.name }
  const order = await requireById(tx, workOrder, own, billed.orderId, { lock: true })
  const owed = await requireById(tx, charge, own, billed.id, { lock: true })
  const state = stateAfter(billed)
  const paidAmount = parseYuan(billed.paid)
  if (owed.state === 'abolished' || (owed.state === state && owed.paidAmount === paidAmount)) return
  const now = fromInstant(Date.parse(scope.time))
  await update(tx, charge, own, owed.id, {
    state,
    paidAmount,
    paidTime: state === 'unpaid' ? undefined : state === 'paid' && kind === 'paid' ? now : owed.paidTime,
  })
  const context: StepContext = {
    tx,
    scope: own,
    now,
    app: runningApp,
    actor: { kind: 'system', id: 0, name: scope.name },
  }
  await applyStep(context, order, stepOf(order, state, kind, describePayment(state, kind, billed)))
}

onPaid(async (tx, scope, { billIds, kind }) => {
  if (!billIds.length) return
  for (const billed of await findBilled(tx, scope.ownerId, billIds)) {
    await followPayment(tx, scope, billed, kind)
  }
})
