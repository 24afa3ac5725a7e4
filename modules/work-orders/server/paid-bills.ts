import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addFen, maxFen, parseYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { onBillsChanged } from '#modules/bills/server/public.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { canApply, stateByDebt } from '../domain/order-actions.ts'
import { findCharge } from './order-cost.ts'
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
  readonly receivable: string
  readonly paid: string
  readonly unpaid: string
  readonly state: number
  readonly payState: number
}

/** The costs whose bills a payment, its undoing or a refund touched. Uses work_order_charge_bill. */
const findBilled = (tx: Tx, ownerId: Id, billIds: readonly Id[]): Promise<BilledCharge[]> =>
  tx.rows<BilledCharge>(sql`
    select t.id, t.order_id, (b.amount - b.discount_amount)::text as receivable,
      b.paid_principal::text as paid, b.unpaid_principal::text as unpaid, b.state, b.pay_state
    from work_order_charge t
    join bill b on b.owner_id = ${ownerId} and b.id = t.bill_id
    where t.owner_id = ${ownerId} and t.bill_id = any(${[...billIds]}::bigint[])
    order by t.id
  `)

const isAbolished = (billed: BilledCharge): boolean => billed.state === codeOf(billState, 'abolished')

/**
 * A cost is given back only with its bill: one whose bill is owed again is to be paid again, and one whose
 * bill nobody owes any more although nothing is paid is free.
 */
function stateOfBill(billed: BilledCharge): Charge['state'] {
  const isPaid = parseYuan(billed.paid) > 0
  if (isAbolished(billed)) return 'refunded'
  if (billed.state === codeOf(billState, 'writtenOff')) return isPaid ? 'paid' : 'abolished'
  if (billed.payState !== codeOf(payState, 'paid')) return 'unpaid'
  return isPaid ? 'paid' : 'free'
}

/** What the order costs is what its bill asks for: the rest was waived, rounded off, or given back so. */
const costOfBill = (order: WorkOrder, amount: Fen) => ({
  waiveCost: maxFen(0, subtractFen(addFen(order.laborCost, order.materialCost), amount)),
  totalCost: amount,
})

function describePayment(state: Charge['state'], kind: PaymentKind, billed: BilledCharge): string {
  if (kind === 'refunded' && state !== 'unpaid') return '费用已退款'
  if (state === 'paid') return '已付款'
  const { paid, unpaid } = billed
  const rest = parseYuan(paid) > 0 ? `已付 ${paid} 元，尚欠 ${unpaid} 元` : '费用未付'
  if (kind === 'paid') return rest
  return kind === 'refunded' ? `费用已退款，恢复欠费：${rest}` : `收款已作废，${rest}`
}

/**
 * What an order makes of the news of its cost: it goes on once it is paid (C12.1), or given back whole, and
 * goes back when it is owed again.
 */
function stepOf(order: WorkOrder, state: Charge['state'], kind: PaymentKind, content: string): OrderStep {
  const to = stateByDebt(order.state, state === 'unpaid')
  const step = { content, to, set: { payState: state } }
  if (kind === 'refunded' && canApply('refund', order.state)) return { ...step, action: 'refund' }
  if (to === order.state) return { ...step, action: 'note' }
  return { ...step, action: to === 'unpaid' ? 'oweAgain' : 'pay' }
}

/** The clerk at the till may know nothing of work orders: this is the product's own step. */
const ownScope = (scope: Scope): Scope => ({
  ...systemScope(scope.ownerId, scope.time),
  operatorId: scope.operatorId,
  name: scope.name,
})

const stepContext = (tx: Tx, own: Scope): StepContext => ({
  tx,
  scope: own,
  now: fromInstant(Date.parse(own.time)),
  app: runningApp,
  actor: { kind: 'system', id: 0, name: own.name },
})

const lockCharge = async (tx: Tx, own: Scope, billed: BilledCharge) => ({
  order: await requireById(tx, workOrder, own, billed.orderId, { lock: true }),
  owed: await requireById(tx, charge, own, billed.id, { lock: true }),
})

async function followPayment(tx: Tx, scope: Scope, billed: BilledCharge, kind: PaymentKind): Promise<void> {
  const own = ownScope(scope)
  const { order, owed } = await lockCharge(tx, own, billed)
  const state = stateOfBill(billed)
  const paidAmount = parseYuan(billed.paid)
  const amount = isAbolished(billed) ? owed.amount : parseYuan(billed.receivable)
  const isSame = owed.state === state && owed.paidAmount === paidAmount && owed.amount === amount
  if (owed.state === 'abolished' || isSame) return
  const context = stepContext(tx, own)
  const cost = amount === owed.amount ? undefined : costOfBill(order, amount)
  await update(tx, charge, own, owed.id, {
    state,
    amount,
    discountAmount: cost?.waiveCost ?? owed.discountAmount,
    paidAmount,
    paidTime:
      state === 'unpaid' ? undefined : state === 'paid' && kind === 'paid' ? context.now : owed.paidTime,
  })
  const step = stepOf(order, state, kind, describePayment(state, kind, billed))
  await applyStep(context, order, { ...step, set: { ...step.set, ...cost } })
}

onPaid(async (tx, scope, { billIds, kind }) => {
  if (!billIds.length) return
  for (const billed of await findBilled(tx, scope.ownerId, billIds)) {
    await followPayment(tx, scope, billed, kind)
  }
})

/** What can be left to pay by, or come to be owed by, on the bills screen; an abolished bill is replaced. */
const followedActions = new Set(['discount', 'lateFee', 'editAmount', 'writeOff', 'reverseWriteOff'])

const billNews: Readonly<Record<Charge['state'], string>> = {
  unpaid: '账单金额已调整，待付',
  paid: '账单已减免，其余已付清',
  free: '账单已全部减免，无需付款',
  abolished: '账单已核销，不再收款',
  refunded: '费用已退款',
}

/** WO-8: what the order costs, and whether that is still to be paid, is what its bill says. */
async function followBill(tx: Tx, scope: Scope, billed: BilledCharge): Promise<void> {
  const own = ownScope(scope)
  const { order, owed } = await lockCharge(tx, own, billed)
  const state = stateOfBill(billed)
  const amount = parseYuan(billed.receivable)
  if (owed.state === state && owed.amount === amount) return
  // An order that was worked on again after the writing off has a cost of its own.
  if (owed.state === 'abolished' && (await findCharge(tx, own, order.id))) return
  const cost = costOfBill(order, amount)
  await update(tx, charge, own, owed.id, { state, amount, discountAmount: cost.waiveCost })
  await applyStep(stepContext(tx, own), order, {
    action: canApply('modifyCost', order.state) ? 'modifyCost' : 'note',
    to: stateByDebt(order.state, state === 'unpaid'),
    content: billNews[state],
    cost: { before: order.totalCost, after: amount },
    set: { payState: state, ...cost },
  })
}

onBillsChanged(async (tx, scope, { action, bills }) => {
  const ids = bills.filter(bill => bill.refType === 'workOrder').map(bill => bill.id)
  if (!ids.length || !followedActions.has(action)) return
  for (const billed of await findBilled(tx, scope.ownerId, ids)) {
    await followBill(tx, scope, billed)
  }
})
