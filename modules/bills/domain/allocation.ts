import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen, displayYuan, type Fen, subtractFen, sumFen } from '#kit/domain/money.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { allocOrder, roundOffMode } from '../contract/choices.ts'

export type AllocOrder = ChoiceOf<typeof allocOrder>

/** What a bill still owes today, and what decides its place in the order of payment. */
export interface OwedBill {
  readonly id: Id
  readonly dueDate: Day
  readonly begin: Day
  readonly itemSort: number
  readonly principal: Fen
  readonly late: Fen
}

export interface AllocatedShare {
  readonly id: Id
  readonly principal: Fen
  readonly late: Fen
}

export interface AllocationResult {
  readonly shares: readonly AllocatedShare[]
  readonly unallocated: Fen
}

/** PAY-10: due date, begin, item order, id. */
export function comparePayOrder(a: OwedBill, b: OwedBill): number {
  if (a.dueDate !== b.dueDate) return a.dueDate < b.dueDate ? -1 : 1
  if (a.begin !== b.begin) return a.begin < b.begin ? -1 : 1
  return a.itemSort - b.itemSort || a.id - b.id
}

/**
 * Allocates money to bills: selected ones first, then in the order of PAY-10; within them by the order of
 * the project (PAY-11). No bill gets more than it owes; `unallocated` is what no bill took (PAY-13).
 * Σ shares + unallocated = amount. T-PAY-01, T-PAY-02.
 */
export function allocate(
  bills: readonly OwedBill[],
  amount: Fen,
  order: AllocOrder,
  selected?: ReadonlySet<Id>,
): AllocationResult {
  const first = (b: OwedBill): number => (selected?.has(b.id) ? 0 : 1)
  const queue = [...bills].toSorted((a, b) => first(a) - first(b) || comparePayOrder(a, b))
  const allocated = new Map<Id, { principal: Fen; late: Fen }>(
    queue.map(b => [b.id, { principal: 0, late: 0 }]),
  )
  let remaining = Math.max(0, amount)
  const give = (bill: OwedBill, kind: 'principal' | 'late'): void => {
    const x = Math.min(remaining, Math.max(0, bill[kind]))
    const share = defined(allocated.get(bill.id))
    share[kind] = asFen(share[kind] + x)
    remaining -= x
  }
  if (order === 'allPrincipalFirst') {
    for (const kind of ['principal', 'late'] as const) {
      queue.forEach(b => give(b, kind))
    }
  } else {
    for (const bill of queue) {
      for (const kind of order === 'lateFirst'
        ? (['late', 'principal'] as const)
        : (['principal', 'late'] as const)) {
        give(bill, kind)
      }
    }
  }
  return {
    shares: queue
      .map(b => ({ id: b.id, ...defined(allocated.get(b.id)) }))
      .filter(s => s.principal > 0 || s.late > 0),
    unallocated: asFen(remaining),
  }
}

/** Why a partial payment is not allowed (PAY-12). */
export function partialPaymentRefusal(amount: Fen, due: Fen, allowPartial: boolean): string | undefined {
  if (!Number.isInteger(amount) || amount < 1) return '缴费金额至少为 0.01 元'
  return amount < due && !allowPartial ? `本项目不允许部分缴费，请缴足 ${displayYuan(due)} 元` : undefined
}

/**
 * The amount to ask for, and the rounding that is discounted on the last bill, at most 0.99 (PAY-14).
 * T-PAY-06: 223.58, 抹分 → 223.50 + 0.08.
 */
export function roundOff(
  due: Fen,
  mode: ChoiceOf<typeof roundOffMode>,
): { readonly pay: Fen; readonly off: Fen } {
  const off = mode === 'none' ? 0 : asFen(due % (mode === 'fen' ? 10 : 100))
  return { pay: subtractFen(due, off), off }
}

/** One line of a mixed payment (PAY-15). */
export interface ClassifiedTender {
  readonly kind: 'prestore' | 'coupon' | 'money'
  readonly amount: Fen
}

/**
 * Sorts tenders, prestore and coupons first; they must add up to what was received. Returns a refusal as
 * text.
 */
export function sortTenders<T extends ClassifiedTender>(
  lines: readonly T[],
  received: Fen,
): readonly T[] | string {
  const sum = sumFen(lines.map(l => l.amount))
  if (lines.some(l => !(l.amount > 0))) return '每种支付方式的金额应大于零'
  if (sum !== received) return `各支付方式合计 ${displayYuan(sum)} 元，与实收 ${displayYuan(received)} 元不符`
  return [...lines].toSorted((a, b) => Number(a.kind === 'money') - Number(b.kind === 'money'))
}
