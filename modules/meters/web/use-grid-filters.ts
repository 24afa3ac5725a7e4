import type { Id } from '#kit/domain/id.ts'
import { useCallback, useEffect, useState } from 'react'
import { monthOf, type Month } from '#kit/domain/month.ts'
import type { Day } from '#kit/contract/field.ts'
import { today } from '#kit/web/date-format.ts'
import type { GridFilterKey, MeterMonth } from '../contract/month-grid.ts'
import { defaultReadDay } from './entry-preview.ts'

export interface GridFilters {
  readonly month: Month
  /** The reading day that new entries get. */
  readonly day: Day
  readonly kind?: MeterMonth['meterKind'] | undefined
  readonly building?: string | undefined
  readonly planId?: Id | undefined
  readonly show: GridFilterKey
  readonly page: number
  readonly size: number
}

/** What is asked of the server, beside the page and the part shown. */
interface GridQuery {
  readonly projectCode: string
  readonly month: Month
  readonly meterKind?: MeterMonth['meterKind']
  readonly buildCode?: string
  readonly planId?: Id
  readonly keyword?: string
}

export interface GridFilterControls {
  readonly filters: GridFilters
  readonly query: GridQuery
  /** Whether anything but the month narrows the list. */
  readonly isNarrowed: boolean
  readonly searchText: string
  readonly setSearchText: (text: string) => void
  /** Changes filters and returns to the first page, unless the change names one. */
  readonly change: (part: Partial<GridFilters>) => void
  readonly moveToMonth: (month: Month) => void
}

const typingPauseMs = 300

/** The filters of the month grid; a search text takes effect after a pause in typing. */
export function useGridFilters(project: string): GridFilterControls {
  const [filters, setFilters] = useState<GridFilters>(() => ({
    month: monthOf(today()),
    day: today(),
    show: 'all',
    page: 1,
    size: 50,
  }))
  const [searchText, setSearchText] = useState('')
  const [keyword, setKeyword] = useState('')
  const change = useCallback(
    (part: Partial<GridFilters>): void => setFilters(before => ({ ...before, page: 1, ...part })),
    [],
  )
  useEffect(() => {
    const timer = setTimeout(
      () => {
        setKeyword(searchText.trim())
        change({})
      },
      searchText ? typingPauseMs : 0,
    )
    return () => clearTimeout(timer)
  }, [searchText, change])
  const { month, kind, building, planId, show } = filters
  return {
    filters,
    query: {
      projectCode: project,
      month,
      ...(kind ? { meterKind: kind } : {}),
      ...(building ? { buildCode: building } : {}),
      ...(planId ? { planId } : {}),
      ...(keyword ? { keyword } : {}),
    },
    isNarrowed: Boolean(keyword || kind || building || planId || show !== 'all'),
    searchText,
    setSearchText,
    change,
    moveToMonth: next => change({ month: next, day: defaultReadDay(next, today()) }),
  }
}
