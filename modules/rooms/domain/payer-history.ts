import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'

/** A change of the payer of a room: `id` rises in the order in which changes were entered. */
export interface PayerChange {
  readonly id: Id
  readonly effectiveDate: Day
  readonly oldRef?: Id | undefined
  readonly newRef?: Id | undefined
}

/** From this day on `id` pays; nobody where it is missing. */
export interface PayerSpan {
  readonly from: Day
  readonly id: Id | undefined
}

const minDay: Day = '0001-01-01'

/**
 * Who pays from which day on, rising; the first one holds before its day too. What was entered last holds
 * from its own day on, also where that day is before an earlier entry: a sale of the 16th that is entered on
 * the 22nd overrides a payer of the 20th (PRO-7). Days before anybody paid belong to the first payer:
 * registering people late cuts no bill in two.
 */
export function payerSpans(current: Id | undefined, changes: readonly PayerChange[]): PayerSpan[] {
  const entered = changes
    .filter(change => change.oldRef !== undefined || change.newRef !== undefined)
    .toSorted((a, b) => a.id - b.id)
  const [first] = entered
  const spans = entered.reduce<readonly PayerSpan[]>(
    (before, { effectiveDate, newRef }) => [
      ...before.filter(span => span.from < effectiveDate),
      { from: effectiveDate, id: newRef },
    ],
    [{ from: minDay, id: first ? first.oldRef : current }],
  )
  const firstKnown = spans.findIndex(span => span.id !== undefined)
  const known = firstKnown < 0 ? [{ from: minDay, id: undefined }] : spans.slice(firstKnown)
  return known.filter((span, i) => i === 0 || defined(known[i - 1]).id !== span.id)
}
