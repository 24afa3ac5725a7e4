import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { Field } from '#kit/contract/field.ts'
import { firstOfMonth, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { monthOf, shiftMonth } from '#kit/domain/month.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { useEffectiveListState } from '#kit/web/list/use-list.ts'
import { today } from '#kit/web/date-format.ts'
import type { Report } from '../contract/report.ts'
import { rangeOfLastDays, type Filter } from './drilldown.ts'

const findFilterField = (report: Report, key: string): Field =>
  defined(report.extraFilters[key] ?? report.entity.fields[key])

export const isMonthFilter = (report: Report, dateFilter: string): boolean =>
  findFilterField(report, dateFilter).kind === 'month'

const daySpans = [
  ['近 7 天', 7],
  ['近 30 天', 30],
  ['近 90 天', 90],
] as const

const monthSpans = [
  ['本月', 1],
  ['近 6 个月', 6],
  ['近 12 个月', 12],
] as const

/** Shortcuts by the kind of the date filter: days with today among them (2§2), or months with this one. */
export const listShortcuts = (
  report: Report,
  dateFilter: string,
  day: Day,
): readonly (readonly [label: string, filter: Filter])[] => {
  const month = monthOf(day)
  return isMonthFilter(report, dateFilter)
    ? monthSpans.map(([label, count]) => [
        label,
        { [`${dateFilter}From`]: shiftMonth(month, 1 - count), [`${dateFilter}To`]: month },
      ])
    : daySpans.map(([label, count]) => [label, rangeOfLastDays(dateFilter, day, count)])
}

function currentMonthFilter(report: Report, dateFilter: string, day: Day): Filter {
  const month = monthOf(day)
  return isMonthFilter(report, dateFilter)
    ? { [`${dateFilter}From`]: month, [`${dateFilter}To`]: month }
    : { [`${dateFilter}From`]: firstOfMonth(day), [`${dateFilter}To`]: day }
}

export const reportViewName = (report: Report): string => `fee-reports/${report.key}`

export interface ReportQueryOptions {
  readonly report: Report
  readonly path: string
  /** The date filter that the shortcuts set; without it the report has none. */
  readonly dateFilter?: string
  /** The filter of an address without one; by default the current month to today. */
  readonly defaultFilter?: (today: Day) => Filter
  /** A parameter of the address that is no filter and stays, `name=value`. */
  readonly addressSuffix?: string
}

/** The query in the address: the default filter where it has none, a person's own view where it names one. */
export function useReportQuery({
  report,
  dateFilter,
  defaultFilter,
  path,
  addressSuffix,
}: ReportQueryOptions) {
  const navigate = useNavigate()
  const day = today()
  const initialFilter = useMemo(
    () => defaultFilter?.(day) ?? (dateFilter ? currentMonthFilter(report, dateFilter, day) : {}),
    [defaultFilter, report, dateFilter, day],
  )
  const views = useMemo(
    () => [{ id: '', name: report.title, filter: initialFilter }],
    [report, initialFilter],
  )
  const {
    filter: query,
    keyword,
    columnPreferences,
  } = useEffectiveListState({
    list: report.list,
    itemName: '数据',
    settingsKey: reportViewName(report),
    views,
  })
  const changeQuery = (patch: Filter): void => {
    const address = listLink(path, report.list, { ...query, ...patch }, { keyword, view: '*' })
    const joint = address.includes('?') ? '&' : '?'
    void navigate(addressSuffix ? `${address}${joint}${addressSuffix}` : address, { replace: true })
  }
  const by = typeof query.by === 'string' ? query.by : report.defaultDimension
  return { query, keyword, changeQuery, views, by, columnPreferences }
}
