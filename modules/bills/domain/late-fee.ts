import { addDays, daysBetween, latest, type Day } from '#kit/domain/day.ts'
import { exactToFen, fromFen, type Decimal } from '#kit/domain/decimal.ts'
import {
  compareExact,
  parseExact,
  addExact,
  roundExact,
  multiplyExact,
  exactOf,
  zero,
  type Exact,
} from '#kit/domain/exact.ts'
import { addFen, asFen, maxFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { capMode, graceMode } from '#modules/fees/contract/choices.ts'
import type { Bill } from './bill.ts'

/**
 * LATE-1. Rates per day as decimals (0.0005 = 0.05 %), each from its day on (LATE-14); one without `from`
 * holds before all.
 */
export interface LateFeePolicy {
  readonly on: boolean
  readonly rates: readonly { readonly from?: Day | undefined; readonly rate: Decimal }[]
  readonly graceDays: number
  readonly graceMode: ChoiceOf<typeof graceMode>
  readonly capMode: ChoiceOf<typeof capMode>
  /** A fraction of the principal (1 = 100 %), yuan, or days, depending on `capMode`. */
  readonly capValue?: Decimal | undefined
  readonly minPrincipal?: Fen | undefined
  readonly minAmount?: Fen | undefined
  /** Days before it are not charged. */
  readonly from?: Day | undefined
}

/** Principal that came in (above zero) or went back (below) on a day. */
export interface PrincipalEntry {
  readonly day: Day
  readonly amount: Fen
}

export interface Debt {
  readonly dueDate: Day
  readonly principal: Fen
  readonly moves: readonly PrincipalEntry[]
}

/**
 * The principal owed at the beginning of a day: the day of a payment still counts on the old principal
 * (LATE-2), the day of a refund not yet on the new one (LATE-11).
 */
const owedPrincipalAt = (d: Debt, day: Day): Fen =>
  asFen(d.principal - d.moves.reduce((sum, m) => (m.day < day ? sum + m.amount : sum), 0))

const rateAt = (policy: LateFeePolicy, day: Day): Exact => {
  const at = policy.rates
    .filter(r => r.from === undefined || r.from <= day)
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
    .at(-1)
  return at ? parseExact(at.rate) : zero
}

/**
 * The late fee of a debt up to a day, computed from its history each time (LATE-6): Σ principal × rate ×
 * days of each segment, rounded once, then cap and minimum. Simple interest (LATE-4). T-LATE-05: 1200 × 30
 * + 700 × 40 days at 0.05 % → 32.00.
 */
export function accrueLateFee(policy: LateFeePolicy, debt: Debt, asOf: Day): Fen {
  const graceEnd = addDays(debt.dueDate, Math.max(0, policy.graceDays))
  if (!policy.on || debt.principal <= 0 || asOf <= debt.dueDate || asOf <= graceEnd) return 0
  // Mode 1 charges nothing for the days of grace when the principal was paid by their end; otherwise every
  // day since the due date counts (LATE-3).
  const after =
    policy.graceMode === 'beyond' || owedPrincipalAt(debt, addDays(graceEnd, 1)) <= 0
      ? graceEnd
      : debt.dueDate
  const begin = latest(addDays(after, 1), policy.from ?? '0001-01-01')
  if (begin > asOf) return 0
  const cuts = [...debt.moves.map(m => addDays(m.day, 1)), ...policy.rates.flatMap(r => r.from ?? [])].filter(
    day => day > begin && day <= asOf,
  )
  const begins = [begin, ...new Set(cuts)].toSorted()
  let remainingDays = policy.capMode === 'days' ? Number(policy.capValue ?? '0') : Infinity
  let sum = zero
  begins.forEach((day, i) => {
    const owed = owedPrincipalAt(debt, day)
    if (owed <= 0 || owed < (policy.minPrincipal ?? 0)) return
    const days = Math.min(daysBetween(day, begins[i + 1] ?? addDays(asOf, 1)), remainingDays)
    remainingDays -= days
    sum = addExact(
      sum,
      multiplyExact(multiplyExact(parseExact(fromFen(owed)), rateAt(policy, day)), exactOf(days)),
    )
  })
  const cap =
    policy.capMode === 'rate'
      ? multiplyExact(parseExact(fromFen(debt.principal)), parseExact(policy.capValue ?? '1'))
      : policy.capMode === 'amount'
        ? parseExact(policy.capValue ?? '0')
        : undefined
  const capped = cap && compareExact(sum, cap) > 0 ? cap : sum
  const fen = exactToFen(roundExact(capped, 2, 'half-up'))
  return fen < (policy.minAmount ?? 0) ? 0 : fen
}

/**
 * The late fee of a bill today: computed from its history, frozen while abolished or written off
 * (LATE-10), fixed when set by hand (LATE-8), never below what was paid and waived.
 */
export function computeLateFeeDue(
  bill: Bill,
  policy: LateFeePolicy,
  entries: readonly PrincipalEntry[],
  today: Day,
): Fen {
  if (bill.deposit) return addFen(bill.latePaid, bill.lateWaived)
  if (bill.lateManual || bill.state !== 'normal') return bill.lateDue
  return maxFen(
    accrueLateFee(
      policy,
      { dueDate: bill.dueDate, principal: subtractFen(bill.amount, bill.discount), moves: entries },
      today,
    ),
    addFen(bill.latePaid, bill.lateWaived),
  )
}

/** 0 when not overdue (LATE-2). */
export const overdueDays = (dueDate: Day, today: Day): number => Math.max(0, daysBetween(dueDate, today))
