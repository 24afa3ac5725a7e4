import { useCallback } from 'react'
import { text } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { isMonth, lastDay } from '#kit/domain/month.ts'
import { usePermission } from '#kit/web/session.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import { initialListState, writeListState } from '#kit/web/list/list-address.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import type { ReportRow } from '../contract/report.ts'

export type Filter = Readonly<Record<string, unknown>>

/** The query of a report, and the row of the figure; without a row, the totals. */
export interface DrilldownOrigin {
  readonly query: Filter
  readonly by: string
  readonly row?: ReportRow | undefined
}

/**
 * From a figure to the rows behind it: the screen and the filter of its list that finds exactly them;
 * undefined where no filter can. The list's own contract is not fetched for it.
 */
export interface Drilldown {
  readonly path: string
  readonly filter: (origin: DrilldownOrigin) => Filter | undefined
  /** A further filter for one figure. */
  readonly figures?: Readonly<Record<string, Filter>>
  /** Figures that have no rows in that list. */
  readonly excludedFigures?: readonly string[]
}

/** One drill-down for all figures, or one for each. */
export type Drilldowns = Drilldown | ((figure: string, origin: DrilldownOrigin) => Drilldown | undefined)

/** A building or a room of one project cannot be a filter of a list that shows them all. */
const isOtherProject = (key: string | undefined, project: string | undefined): boolean =>
  key !== undefined && key.includes('/') && key.split('/')[0] !== project

const buildAddress = (path: string, { keyword = '', ...filter }: Filter, project?: string): string => {
  const fields = Object.fromEntries(Object.keys(filter).map(key => [key, text('')]))
  const state = { ...initialListState, filter, keyword: String(keyword), view: '*' }
  const address = `${path}?${writeListState('', fields, state)}`
  return project ? `${address}&project=${encodeURIComponent(project)}` : address
}

/** The address behind a figure; undefined without the permission to see it. */
export function useDrilldown(
  drilldowns: Drilldowns | undefined,
): (figure: string, origin: DrilldownOrigin) => string | undefined {
  const hasPermission = usePermission()
  const project = useProject()
  return useCallback(
    (figure, origin) => {
      const drilldown = typeof drilldowns === 'function' ? drilldowns(figure, origin) : drilldowns
      const screen = drilldown && findScreen(drilldown.path)
      if (
        !drilldown ||
        !screen ||
        !hasPermission(screen.needs) ||
        drilldown.excludedFigures?.includes(figure) ||
        (origin.row && !origin.row.key) ||
        isOtherProject(origin.row?.key, project)
      )
        return undefined
      const filter = drilldown.filter(origin)
      return (
        filter &&
        buildAddress(
          drilldown.path,
          { ...filter, ...drilldown.figures?.[figure] },
          origin.row && origin.by === 'project' ? origin.row.key : undefined,
        )
      )
    },
    [hasPermission, drilldowns, project],
  )
}

/** A month's or a day's key as a range of a date filter. */
export const toRange = (name: string, key: string): Filter => ({
  [`${name}From`]: isMonth(key) ? `${key}-01` : key,
  [`${name}To`]: isMonth(key) ? lastDay(key) : key,
})

/**
 * The overlap of the query's range and the row's, so that a month at the edge of the filter counts its own
 * days only.
 */
export function narrowRange(name: string, query: Filter, key: string): Filter {
  const [fromKey, toKey] = [`${name}From`, `${name}To`]
  const row = toRange(name, key)
  const [from, to] = [String(row[fromKey]), String(row[toKey])]
  const [queryFrom, queryTo] = [query[fromKey], query[toKey]]
  return {
    [fromKey]: typeof queryFrom === 'string' && queryFrom > from ? queryFrom : from,
    [toKey]: typeof queryTo === 'string' && queryTo && queryTo < to ? queryTo : to,
  }
}

/** The days of a shortcut, today among them (2§2). */
export const rangeOfLastDays = (name: string, today: Day, days: number): Filter => ({
  [`${name}From`]: addDays(today, 1 - days),
  [`${name}To`]: today,
})
