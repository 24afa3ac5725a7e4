import { defined } from '#kit/domain/defined.ts'
import { addDays, addMonthsFrom, dayOf, daysBetween, daysInMonth, monthsSince, type Day } from './day.ts'
import { daysIn, firstDay, lastDay, monthOf, monthsFrom, type Month } from './month.ts'

/** A closed range: both days belong to it (G-5). Never empty: an absent period is `undefined`. */
export interface Period {
  readonly begin: Day
  readonly end: Day
}

/** Throws RangeError when the end is before the begin. */
export function period(begin: Day, end: Day): Period {
  if (end < begin) throw new RangeError(`结束日期 ${end} 不能早于开始日期 ${begin}`)
  return { begin, end }
}

const periodIfOrdered = (begin: Day, end: Day): Period | undefined =>
  begin <= end ? { begin, end } : undefined

/** End − begin + 1, at least 1 (G-5). */
export const daysOf = (p: Period): number => daysBetween(p.begin, p.end) + 1
export const containsDay = (p: Period, d: Day): boolean => p.begin <= d && d <= p.end

/** Every day of the second is in the first. */
export const covers = (outer: Period, inner: Period): boolean =>
  outer.begin <= inner.begin && inner.end <= outer.end

export const overlaps = (a: Period, b: Period): boolean => a.begin <= b.end && b.begin <= a.end

export const intersect = (a: Period, b: Period): Period | undefined =>
  periodIfOrdered(a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end)

export const isSamePeriod = (a: Period, b: Period): boolean => a.begin === b.begin && a.end === b.end

/** What is left of a period when others are taken out (free ranges, CYC-7), earliest first. */
export function subtract(whole: Period, ...removed: readonly Period[]): Period[] {
  return removed.reduce<Period[]>(
    (rest, removedPeriod) =>
      rest.flatMap(piece => {
        if (!overlaps(piece, removedPeriod)) return [piece]
        const before =
          piece.begin < removedPeriod.begin
            ? [{ begin: piece.begin, end: addDays(removedPeriod.begin, -1) }]
            : []
        const after =
          piece.end > removedPeriod.end ? [{ begin: addDays(removedPeriod.end, 1), end: piece.end }] : []
        return [...before, ...after]
      }),
    [whole],
  )
}

/** The same days in the fewest periods, earliest first: overlapping and adjoining ones become one. */
export function union(list: readonly Period[]): Period[] {
  const out: Period[] = []
  for (const next of [...list].toSorted((a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : 0))) {
    const last = out.at(-1)
    if (!last || (next.begin > last.end && daysBetween(last.end, next.begin) > 1)) {
      out.push(next)
    } else if (next.end > last.end) {
      out[out.length - 1] = { begin: last.begin, end: next.end }
    }
  }
  return out
}

/**
 * Cut so that each of the days begins a piece: a new price, area or payer from that day on (PRO-7). Days
 * outside are ignored.
 */
export function splitAt(whole: Period, days: readonly Day[]): Period[] {
  const begins = [whole.begin, ...new Set(days.filter(d => whole.begin < d && d <= whole.end))].toSorted()
  return begins.map((begin, i) => ({
    begin,
    end: begins[i + 1] === undefined ? whole.end : addDays(defined(begins[i + 1]), -1),
  }))
}

/** Every calendar month that has a day in the period. */
export const monthsOf = (p: Period): Month[] => monthsFrom(monthOf(p.begin), monthOf(p.end))
export const periodOfMonth = (m: Month): Period => ({ begin: firstDay(m), end: lastDay(m) })

/** Whole when `days` equals `daysInMonth`: the factor of proration is days / daysInMonth (PRO-1). */
export interface PeriodPiece extends Period {
  readonly days: number
  readonly daysInMonth: number
}

export interface MonthPeriodPiece extends PeriodPiece {
  readonly month: Month
}

/** Cut at calendar month borders (PRO-1). */
export const splitByMonth = (p: Period): MonthPeriodPiece[] =>
  monthsOf(p).map(month => {
    const piece = defined(intersect(p, periodOfMonth(month)))
    return { ...piece, month, days: daysOf(piece), daysInMonth: daysIn(month) }
  })

/**
 * The n-th period of `months` months from an anchor, n from 0, each counted from the anchor itself (CYC-6,
 * T-CYC-01).
 */
export const anniversaryPeriod = (anchor: Day, months: number, n: number): Period => ({
  begin: addMonthsFrom(anchor, n * months),
  end: addDays(addMonthsFrom(anchor, (n + 1) * months), -1),
})

/**
 * Cut at the monthly anniversaries of an anchor; a complete anniversary month has days = daysInMonth,
 * whatever its length (PRO-2).
 */
export function splitByAnniversary(whole: Period, anchor: Day): PeriodPiece[] {
  const first = monthsSince(anchor, whole.begin)
  const last = monthsSince(anchor, whole.end)
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const month = anniversaryPeriod(anchor, 1, first + i)
    const piece = defined(intersect(whole, month))
    return { ...piece, days: daysOf(piece), daysInMonth: daysOf(month) }
  })
}

/**
 * The year around a day that begins on a month and day (`07-01`; by default the calendar year). A 02-29
 * begins on the last of February in other years.
 */
export function yearAround(date: Day, start = '01-01'): Period {
  const [month, day] = [Number(start.slice(0, 2)), Number(start.slice(3))]
  const y = Number(date.slice(0, 4))
  const begin = (year: number): Day => dayOf(year, month, Math.min(day, daysInMonth(dayOf(year, month, 1))))
  const from = begin(y) <= date ? begin(y) : begin(y - 1)
  return { begin: from, end: addDays(begin(Number(from.slice(0, 4)) + 1), -1) }
}
