import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { addFen, maxFen, parseYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { onBillsChanged, type BillAction } from '#modules/bills/server/public.ts'
import { onPaid, onRefundDeclined } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { canApply, stateByDebt } from '../domain/order-actions.ts'
import { isEffectiveBill } from './charge-bills.ts'
import { findCharge } from './order-cost.ts'
import { getRunningApp } from './live-orders.ts'
import type { StepContext } from './order-context.ts'
import { applyStep, type OrderStep } from './transition.ts'

type PaymentKind = 'paid' | 'undone' | 'refunded'

interface BilledCharge {
  readonly id: Id
  readonly orderId: Id
  /** None of its bills is valid any more. */
  readonly isAbolished: boolean
  readonly isOwed: boolean
  readonly isWrittenOff: boolean
  readonly receivable: string
  readonly paid: string
  readonly unpaid: string
}

/**
 * The costs whose bills a payment, its undoing or a refund touched, with what all their bills say: of a bill
 * that was split, the parts that count; where none does, what the whole asked for. Uses
 * work_order_charge_bill and bill_ref.
 */
const findBilled = (tx: Tx, ownerId: Id, billIds: readonly Id[]): Promise<BilledCharge[]> =>
  tx.rows<BilledCharge>(sql`
    select t.id, t.order_id, s.count = 0 as is_abolished, s.is_owed, s.is_written_off,
      coalesce(s.receivable, w.amount - w.discount_amount)::text as receivable,
      coalesce(s.paid, w.paid_principal)::text as paid, coalesce(s.unpaid, 0)::text as unpaid
    from work_order_charge t
    join bill w on w.owner_id = ${ownerId} and w.id = t.bill_id
    cross join lateral (
      select count(*) as count, sum(b.amount - b.discount_amount) as receivable,
        sum(b.paid_principal) as paid,
        sum(b.unpaid_principal + b.late_fee_due - b.late_fee_paid - b.late_fee_waived) as unpaid,
        bool_or(
          b.state = ${code(billState, 'normal')} and b.pay_state <> ${code(payState, 'paid')}
        ) is true as is_owed,
        bool_or(b.state = ${code(billState, 'writtenOff')}) is true as is_written_off
      from bill b
      where ${isEffectiveBill(ownerId, sql`t.order_id`, sql`t.bill_id`)}
    ) s
    where t.owner_id = ${ownerId}
      and t.bill_id in (
        select c.run_root from bill c where c.owner_id = ${ownerId} and c.id = any(${[...billIds]}::bigint[])
      )
    order by t.id
  `)

/**
 * A cost is refunded only with its bill: one whose bill is owed again is to be paid again, and one whose
 * bill nobody owes any more although nothing is paid is free.
 */
function stateOfBill({ isAbolished, isOwed, isWrittenOff, paid }: BilledCharge): Charge['state'] {
  if (isAbolished) return 'refunded'
  if (isOwed) return 'unpaid'
  if (parseYuan(paid) > 0) return 'paid'
  return isWrittenOff ? 'abolished' : 'free'
}

/** What the order costs is what its bill asks for: the rest was waived, rounded off, or refunded so. */
const costOfBill = (order: WorkOrder, amount: Fen) => ({
  waiveCost: maxFen(0, subtractFen(addFen(order.laborCost, order.materialCost), amount)),
  totalCost: amount,
})

function describePayment(
  state: Charge['state'],
  kind: PaymentKind,
  { paid, unpaid }: BilledCharge,
  isAskedForLess: boolean,
): string {
  if (kind === 'refunded' && state !== 'unpaid') return '费用已退款'
  if (state === 'paid') return '已付款'
  const owed = parseYuan(paid) > 0 ? `已付 ${paid} 元，尚欠 ${unpaid} 元` : `尚欠 ${unpaid} 元`
  // Of a split bill, the part whose money went back was abolished with it.
  if (kind === 'refunded' && isAskedForLess) return `费用已退款，退款部分不再收取：${owed}`
  const rest = parseYuan(paid) > 0 ? owed : '费用未付'
  if (kind === 'paid') return rest
  return kind === 'refunded' ? `费用已退款，恢复欠费：${rest}` : `收款已作废，${rest}`
}

/**
 * What an order makes of the news of its cost: it goes on once it is paid (C12.1), or refunded whole, and
 * goes back when it is owed again.
 */
function stepOf(order: WorkOrder, state: Charge['state'], kind: PaymentKind, content: string): OrderStep {
  const to = stateByDebt(order.state, state === 'unpaid')
  const step = { content, to, set: { payState: state } }
  if (kind === 'refunded' && canApply('refund', order.state)) return { ...step, action: 'refund' }
  if (to === order.state) return { ...step, action: 'note' }
  return { ...step, action: to === 'unpaid' ? 'oweAgain' : 'pay' }
}

/** The cashier may know nothing of work orders: this is the product's own step. */
const ownScope = (scope: Scope): Scope => ({
  ...systemScope(scope.ownerId, scope.time),
  operatorId: scope.operatorId,
  name: scope.name,
})

const stepContext = (tx: Tx, own: Scope): StepContext => ({
  tx,
  scope: own,
  now: fromInstant(Date.parse(own.time)),
  app: getRunningApp(),
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
  const amount = parseYuan(billed.receivable)
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
  const step = stepOf(order, state, kind, describePayment(state, kind, billed, amount < owed.amount))
  await applyStep(context, order, { ...step, set: { ...step.set, ...cost } })
}

// The bills of a cost name its order, and so do the parts of a split one: others change no cost.
onPaid(async (tx, scope, { billIds, kind, refTypes }) => {
  if (!billIds.length || refTypes?.has('workOrder') === false) return
  for (const billed of await findBilled(tx, scope.ownerId, billIds)) {
    await followPayment(tx, scope, billed, kind)
  }
})

/** What can be left to pay by, or come to be owed by, on the bills screen. */
const followedActions = new Set<BillAction>([
  'discount',
  'lateFee',
  'editAmount',
  'writeOff',
  'reverseWriteOff',
  'abolish',
  'recover',
  'mergeBack',
])

const billNews: Readonly<Record<Charge['state'], string>> = {
  unpaid: '账单金额已调整，待付',
  paid: '账单金额已调整，无欠款',
  free: '账单已全部减免，无需付款',
  abolished: '账单已核销，不再收款',
  refunded: '费用已退款',
}

/**
 * WO-8: what the order costs, and whether that is still to be paid, is what its bill says. One that was
 * abolished is made again when the cost is paid: as long as it was owed, it still is.
 */
async function followBill(tx: Tx, scope: Scope, billed: BilledCharge): Promise<void> {
  const own = ownScope(scope)
  const { order, owed } = await lockCharge(tx, own, billed)
  if (billed.isAbolished && owed.state !== 'unpaid') return
  const state = billed.isAbolished ? 'unpaid' : stateOfBill(billed)
  const amount = parseYuan(billed.receivable)
  if (owed.state === state && owed.amount === amount) return
  // An order that was worked on again after the writing off or the refund has a cost of its own.
  const hasEnded = owed.state === 'abolished' || owed.state === 'refunded'
  if (hasEnded && (await findCharge(tx, own, order.id))) return
  const cost = costOfBill(order, amount)
  await update(tx, charge, own, owed.id, { state, amount, discountAmount: cost.waiveCost })
  const to = stateByDebt(order.state, state === 'unpaid')
  const action = canApply('modifyCost', order.state) ? 'modifyCost' : to === order.state ? 'note' : 'oweAgain'
  await applyStep(stepContext(tx, own), order, {
    action,
    to,
    content: billNews[state],
    cost: { before: order.totalCost, after: amount },
    set: { payState: state, ...cost },
  })
}

onBillsChanged(async (tx, scope, { action, bills }) => {
  const ids = bills.filter(bill => bill.refType === 'workOrder').map(bill => bill.id)
  if (!ids.length || action === 'reissue' || !followedActions.has(action)) return
  for (const billed of await findBilled(tx, scope.ownerId, ids)) {
    await followBill(tx, scope, billed)
  }
})

// The history has the request: it also tells that nothing comes of it.
onRefundDeclined(async (tx, scope, { refundNo, billIds, isRejected, reason }) => {
  const own = ownScope(scope)
  const content = `退款 ${refundNo} ${isRejected ? '已驳回' : '已取消'}：${reason}`
  for (const billed of await findBilled(tx, scope.ownerId, billIds)) {
    const { order } = await lockCharge(tx, own, billed)
    await applyStep(stepContext(tx, own), order, { action: 'note', content })
  }
})
