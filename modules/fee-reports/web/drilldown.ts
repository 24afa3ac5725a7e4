import { defined } from '#kit/domain/defined.ts'
import { useCallback } from 'react'
import { text } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { firstDay, isMonth, lastDay } from '#kit/domain/month.ts'
import { usePermission } from '#kit/web/session.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import { initialListState, writeListState } from '#kit/web/list/list-state.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import type { ReportRow } from '../contract/report.ts'

export type Filter = Readonly<Record<string, unknown>>

/** What a report was asked, and the row whose figure is followed; without a row, the totals. */
export interface DrilldownOrigin {
  readonly asked: Filter
  readonly by: string
  readonly row?: ReportRow | undefined
}

/**
 * From a figure to the rows behind it: the screen and the filter of its list that finds exactly them. Nothing
 * where no filter can. The list's own contract is not fetched for it.
 */
export interface Drilldown {
  readonly path: string
  readonly filter: (from: DrilldownOrigin) => Filter | undefined
  /** What one figure counts of them. */
  readonly figures?: Readonly<Record<string, Filter>>
  /** Figures that have no rows of that list. */
  readonly without?: readonly string[]
}

/** One way for all figures, or each its own. */
export type Drilldowns = Drilldown | ((figure: string, from: DrilldownOrigin) => Drilldown | undefined)

/** A building or a room of one project says nothing of a list that shows them all. */
const isOtherProject = (key: string | undefined, project: string | undefined): boolean =>
  key !== undefined && key.includes('/') && key.split('/')[0] !== project

const buildAddress = (path: string, { keyword = '', ...filter }: Filter, project?: string): string =>
  `${path}?${writeListState('', Object.fromEntries(Object.keys(filter).map(k => [k, text('')])), { ...initialListState, filter, keyword: String(keyword), view: '*' })}${project ? `&project=${encodeURIComponent(project)}` : ''}`

/** The address behind a figure, for those who may see it. */
export function useDrilldown(
  given: Drilldowns | undefined,
): (figure: string, from: DrilldownOrigin) => string | undefined {
  const may = usePermission()
  const project = useProject()
  return useCallback(
    (figure, from) => {
      const way = typeof given === 'function' ? given(figure, from) : given
      const screen = way && findScreen(way.path)
      if (
        !way ||
        !screen ||
        !may(screen.needs) ||
        way.without?.includes(figure) ||
        (from.row && !from.row.key) ||
        isOtherProject(from.row?.key, project)
      )
        return undefined
      const filter = way.filter(from)
      return (
        filter &&
        buildAddress(
          way.path,
          { ...filter, ...way.figures?.[figure] },
          from.row && from.by === 'project' ? from.row.key : undefined,
        )
      )
    },
    [may, given, project],
  )
}

/** A month's or a day's key as a range of a date filter. */
export const toRange = (name: string, key: string): Filter => ({
  [`${name}From`]: isMonth(key) ? firstDay(key) : key,
  [`${name}To`]: isMonth(key) ? lastDay(key) : key,
})

/**
 * The narrower of what was asked and what the row says, so that a month at the edge of the filter counts its
 * own days only.
 */
export function narrowRange(name: string, asked: Filter, key: string): Filter {
  const [from, to] = [`${name}From`, `${name}To`]
  const said = toRange(name, key) as Record<string, string>
  const a = asked as Record<string, string | undefined>
  return {
    [from]: a[from] && a[from] > defined(said[from]) ? a[from] : said[from],
    [to]: a[to] && a[to] < defined(said[to]) ? a[to] : said[to],
  }
}

/** The days of a shortcut, today among them (2§2). */
export const rangeOfLastDays = (name: string, today: Day, n: number): Filter => ({
  [`${name}From`]: addDays(today, 1 - n),
  [`${name}To`]: today,
})
