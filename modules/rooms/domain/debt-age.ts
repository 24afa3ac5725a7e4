import { daysBetween, type Day } from '#kit/domain/day.ts'
import type { DebtAge } from '../contract/labels.ts'

/** The last day overdue of each age; what is older is older. */
const lastDays: readonly (readonly [age: DebtAge, days: number])[] = [
  ['days30', 30],
  ['days90', 90],
  ['days365', 365],
]

/** The age of a debt by its oldest due day; that day itself is not overdue yet. */
export function debtAgeOf(oldestDue: Day, today: Day): DebtAge {
  const days = daysBetween(oldestDue, today)
  return lastDays.find(([, last]) => days <= last)?.[0] ?? 'older'
}
