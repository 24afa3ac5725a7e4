import type { Id } from '#kit/domain/id.ts'
import { type Day } from '#kit/domain/day.ts'
import { sum, type Decimal } from '#kit/domain/decimal.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { type Period } from '#kit/domain/period.ts'
import { dueDate } from './charging.ts'
import { type ComputedBill, type SkippedBill } from './bill-computation.ts'
import type { FreedPeriod } from './gaps.ts'
import type { Standard } from './standard.ts'

/**
 * Which periods a run bills: what has fallen due by a day (GEN-1), all up to a month, or the next few ahead
 * of time (TMP-2).
 */
export type PlanScope =
  | { readonly kind: 'due'; readonly today: Day }
  | {
      readonly kind: 'month'
      readonly month: Month
      readonly today: Day
      /** Share standards that have a pool of the month with a total (SHR-1). */
      readonly pools?: ReadonlySet<Id>
      /** Gaps that were selected by hand, by `gapKey`; the usual ones without it (GEN-3). */
      readonly gaps?: ReadonlySet<string> | undefined
    }
  | { readonly kind: 'ahead'; readonly count: number; readonly today: Day }
  /** Only gaps, of any month (GEN-3). */
  | { readonly kind: 'gaps'; readonly today: Day; readonly gaps: ReadonlySet<string> }

export interface PlannedLine extends ComputedBill {
  readonly relationId: Id
  readonly belongMonth: Month
  readonly dueDate: Day
  readonly readingId?: Id
  /** Shown in lists beside the amount; those of the last part where they changed. */
  readonly quantity?: Decimal
  readonly price?: Decimal
  /** Nobody to pay: a warning, the bill is made nevertheless (GEN-6 PAYER_MISSING). */
  readonly payerMissing: boolean
}

export interface PlannedSkip extends SkippedBill {
  readonly relationId: Id
  readonly period?: Period
}

/** A free period in the middle of what is billed, with what its bills would be (GEN-3). */
export interface PlannedGap extends FreedPeriod {
  readonly relationId: Id
  /** Whether the run bills it. */
  readonly isBilled: boolean
  readonly lines: readonly PlannedLine[]
  /** Why it cannot be billed. */
  readonly skipped?: SkippedBill | undefined
}

export interface BillingPlan {
  readonly lines: readonly PlannedLine[]
  readonly skips: readonly PlannedSkip[]
  /** Free periods in the middle, billed or not (GEN-3). */
  readonly gaps: readonly PlannedGap[]
  /** Billed up to this day after the run; absent when nothing was ever billed (CYC-4). */
  readonly billedTo?: Day
  /** The limit of one run was reached; another run continues (GEN-4). */
  readonly hasMore: boolean
}

/** A live bill of the same item on the same object. */
export interface ExistingBill extends Period {
  readonly relationId?: Id | undefined
}

/** GEN-2: items and fee types whose bills may overlap; their relations are still billed once per period. */
export const canOverlap = (s: Pick<Standard, 'allowMulti' | 'feeType'>): boolean =>
  s.allowMulti || ['temporary', 'monthCard', 'parking', 'lateFee', 'other'].includes(s.feeType)

const quantityVariables = ['建筑面积', '套内面积', '计费面积', '数量', '用量'] as const

/** A relation's line from a computed bill. */
export function toPlannedLine(
  standard: Standard,
  relationId: Id,
  bill: ComputedBill,
  billedOn: Day,
  readingId?: Id,
): PlannedLine {
  const values = bill.snapshot.parts.at(-1)?.values ?? {}
  // With registers by time of use all of them count, and there is no single price (MTR-15).
  const byTime = values.时段 !== undefined
  const quantity = byTime
    ? sum(bill.snapshot.parts.map(x => x.values.用量 || '0'))
    : quantityVariables.map(n => values[n]).find(Boolean)
  const price = byTime ? undefined : values.单价 || values.金额 || values.租金
  return {
    ...bill,
    relationId,
    belongMonth: monthOf(bill.begin),
    dueDate: dueDate(standard.due, billedOn, bill),
    payerMissing: bill.payer === undefined,
    ...(readingId === undefined ? {} : { readingId }),
    ...(quantity ? { quantity } : {}),
    ...(price ? { price } : {}),
  }
}
