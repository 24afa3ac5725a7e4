import { useMemo } from 'react'
import type { Day } from '#kit/domain/day.ts'
import { today } from '#kit/web/date-format.ts'
import type { ListView } from '#kit/web/list/list-views.tsx'

type View = Omit<ListView, 'own'>

/** First what was due by today, which tomorrow's would be before. */
export const taskViews = (day: Day, others: readonly View[]): readonly View[] => [
  { id: '', name: '今天及以前', filter: { taskDateTo: day } },
  { id: '*', name: '全部', filter: {} },
  ...others,
]

/** The views of a list of tasks. */
export function useTaskViews(others: readonly View[]): readonly View[] {
  const day = today()
  return useMemo(() => taskViews(day, others), [day, others])
}
