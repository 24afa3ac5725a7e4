import { addDays, addMonths, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { MaintainType } from '../contract/choices.ts'

/** ELV-1 */
export const inspectionNoticeDays = 30

interface DoneWork {
  readonly maintainType: MaintainType
  readonly isPassed: boolean
  readonly doneDay: Day
  readonly nextDate?: Day | undefined
}

interface Due {
  readonly lastInspectDate?: Day | undefined
  readonly nextInspectDate?: Day | undefined
  readonly lastMaintainDate?: Day | undefined
  readonly nextMaintainDate?: Day | undefined
}

/** The same day of the next year; the 28th of February after a 29th. */
export const nextYear = (day: Day): Day => addMonths(day, 12)

const later = (a: Day | undefined, b: Day): boolean => a === undefined || a <= b

/**
 * What a lift's days become by work that was done: an inspection that passed moves the next one by a year,
 * maintenance by the cycle. A repair moves nothing, nor does what was entered after later work.
 */
export function dueAfter(before: Due, cycleDays: number, work: DoneWork): Due {
  const { maintainType, isPassed, doneDay, nextDate } = work
  if (maintainType === 'repair') return {}
  if (maintainType === 'inspection')
    return isPassed && later(before.lastInspectDate, doneDay)
      ? { lastInspectDate: doneDay, nextInspectDate: nextDate ?? nextYear(doneDay) }
      : {}
  return later(before.lastMaintainDate, doneDay)
    ? { lastMaintainDate: doneDay, nextMaintainDate: nextDate ?? addDays(doneDay, cycleDays) }
    : {}
}

/** What of a lift is due on a day, with the day of the inspection that is announced so long before. */
export const lastNoticedDay = (today: Day): Day => defined(addDays(today, inspectionNoticeDays))
