import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { followUpAdvice, followUpKind } from '../contract/choices.ts'

export type FollowUpKind = ChoiceOf<typeof followUpKind>
export type FollowUpAdvice = ChoiceOf<typeof followUpAdvice>

/** A payer as one number, companies below zero; undefined where nobody is known. */
type PayerKey = number | undefined

/** A bill, or a part of what it should be today. */
export interface ChargedPart {
  readonly begin: Day
  readonly end: Day
  readonly payer: PayerKey
  readonly amount: Fen
}

/** In what a bill differs from what its days cost today, and from which day on. */
export interface Misfit {
  readonly kind: 'payer' | 'area'
  readonly effectiveDate: Day
  readonly payer: PayerKey
  /** payer: what belongs to others; area: new minus old. */
  readonly amount: Fen
}

/**
 * Compares a bill with what would be issued for its days today, oldest part first (PRO-7). Undefined where
 * it fits. A bill of nobody fits every payer: registering people late moves no debt.
 */
export function findMisfit(
  bill: ChargedPart,
  parts: readonly ChargedPart[],
  changedOn: Day,
): Misfit | undefined {
  const others = bill.payer === undefined ? [] : parts.filter(part => part.payer !== bill.payer)
  const [first] = others
  if (first && first.payer !== undefined) {
    const amount = sumFen(others.map(part => part.amount))
    return { kind: 'payer', effectiveDate: first.begin, payer: first.payer, amount }
  }
  const total = sumFen(parts.map(part => part.amount))
  if (total === bill.amount) return undefined
  const effectiveDate = changedOn > bill.begin ? changedOn : bill.begin
  return { kind: 'area', effectiveDate, payer: bill.payer, amount: subtractFen(total, bill.amount) }
}

interface FollowUpFacts {
  readonly kind: FollowUpKind
  readonly effectiveDate: Day
  readonly begin: Day
  readonly paidPrincipal: Fen
  readonly unpaidPrincipal: Fen
  readonly lateFeePaid: Fen
  readonly isInvoiced: boolean
}

/**
 * What to do with a bill that no longer fits: money that was paid or invoiced cannot be moved by a split. Of
 * a bill paid in part the amount in question may exceed what was paid: that goes back first, then the bill is
 * split or reissued, and what is due collected again.
 */
export function followUpAdviceOf(facts: FollowUpFacts): FollowUpAdvice {
  if (facts.kind === 'ending') return 'credit'
  if (facts.paidPrincipal > 0 || facts.lateFeePaid > 0 || facts.isInvoiced)
    return facts.unpaidPrincipal > 0 && !facts.isInvoiced ? 'refundFirst' : 'refund'
  if (facts.kind === 'area') return 'reissue'
  return facts.begin >= facts.effectiveDate ? 'payer' : 'split'
}
