import { addDays, type Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { onHolidaysChanged, registerHolidayGuard } from '#modules/system/server/public.ts'
import { closedMonthsOf, closedText } from './closed-months.ts'
import type { Span } from './people.ts'
import { affectedSpan } from './person-days.ts'
import { nowOf } from './punches.ts'
import { findMembers, recomputePeople } from './recompute.ts'

/** Days that follow each other as one span: a calendar of a year is computed by its holidays only. */
export function spansOf(days: readonly Day[]): Span[] {
  const spans: Span[] = []
  for (const day of [...new Set(days)].toSorted()) {
    const last = spans.at(-1)
    if (last && day <= addDays(last.to, 1)) {
      spans.splice(-1, 1, { from: last.from, to: day })
    } else {
      spans.push({ from: day, to: day })
    }
  }
  return spans
}

registerHolidayGuard(async (db, scope, days) => {
  const closed = await closedMonthsOf(db, scope, days)
  return new Map(
    days.flatMap(day => {
      const month = monthOf(day)
      return closed.has(month) ? [[day, closedText(month)] as const] : []
    }),
  )
})

// ATT-12: the calendar decides whether a day is worked (ATT-2).
onHolidaysChanged(async (tx, scope, days) => {
  for (const { from, to } of spansOf(days)) {
    const span = affectedSpan(from, to)
    await recomputePeople(tx, scope, await findMembers(tx, scope, span), span, nowOf(scope))
  }
})
