import { Segmented, Select } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { firstOfMonth, isDay, lastOfMonth, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { textOf } from '#kit/web/columns.tsx'
import { today } from '#kit/web/date-format.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Report } from '../contract/report.ts'
import { toRange, useDrilldown, type Drilldowns, type Filter } from './drilldown.ts'
import { isMonthFilter, listShortcuts } from './report-query.ts'

const MonthPicker = lazyComponent(
  () => import('./month-picker.tsx').then(m => m.MonthPicker),
  <span className="report-month" />,
)

interface DateShortcutsProps {
  readonly report: Report
  readonly dateFilter: string
  readonly query: Filter
  readonly onChange: (patch: Filter) => void
}

/** The one month that a range covers: whole, or up to today. */
function monthOfRange(from: unknown, to: unknown, isByMonth: boolean, day: Day): string | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  if (isByMonth) return from === to ? from : undefined
  if (!isDay(from)) return undefined
  const isWholeMonth = to === lastOfMonth(from) || (to === day && from === firstOfMonth(day))
  return from === firstOfMonth(from) && isWholeMonth ? from : undefined
}

/** 近 7/30/90 天, or a month by choice. */
function DateShortcuts({ report, dateFilter, query, onChange }: DateShortcutsProps) {
  const day = today()
  const [fromKey, toKey] = [`${dateFilter}From`, `${dateFilter}To`]
  const shortcuts = listShortcuts(report, dateFilter, day)
  const isByMonth = isMonthFilter(report, dateFilter)
  const active = shortcuts.find(
    ([, filter]) => filter[fromKey] === query[fromKey] && filter[toKey] === query[toKey],
  )
  return (
    <>
      <Segmented
        size="small"
        aria-label="日期"
        value={active?.[0] ?? ''}
        options={shortcuts.map(([label]) => ({ value: label, label }))}
        onChange={value => {
          const filter = shortcuts.find(([label]) => label === value)?.[1]
          if (filter) {
            onChange(filter)
          }
        }}
      />
      <MonthPicker
        value={monthOfRange(query[fromKey], query[toKey], isByMonth, day)}
        max={lastOfMonth(day)}
        onPick={month =>
          onChange(isByMonth ? { [fromKey]: month, [toKey]: month } : toRange(dateFilter, month))
        }
      />
    </>
  )
}

interface ReportToolbarProps {
  readonly report: Report
  readonly header?: ReactNode
  readonly dateFilter?: string
  readonly topTotals?: readonly string[]
  readonly drilldowns?: Drilldowns
  readonly linkTitle?: string
  readonly query: Filter
  readonly by: string
  readonly onQueryChange: (patch: Filter) => void
  readonly sums: Readonly<Record<string, number | string>> | undefined
}

function TopTotal({
  report,
  figure,
  value,
  isLoaded,
  to,
  linkTitle,
}: {
  readonly report: Report
  readonly figure: string
  readonly isLoaded: boolean
  readonly value: number | string | undefined
  readonly to: string | undefined
  readonly linkTitle: string | undefined
}) {
  const field = defined(report.list.output.fields[figure])
  const text = isLoaded ? textOf(field, value) : '…'
  return (
    <span title={field.help}>
      {field.label}{' '}
      {to ? (
        <Link to={to} className="figure" aria-label={`${field.label} ${text}，查看明细`} title={linkTitle}>
          {text}
        </Link>
      ) : (
        <b className="figure">{text}</b>
      )}
    </span>
  )
}

/** Shortcuts of the date filter, the dimension, and totals of the whole filter. */
export function ReportToolbar({
  report,
  header,
  dateFilter,
  topTotals = [],
  drilldowns,
  linkTitle,
  query,
  by,
  onQueryChange,
  sums,
}: ReportToolbarProps) {
  const drilldownLink = useDrilldown(drilldowns)
  const dimensions = Object.entries(report.dimensions.rows)
  return (
    <div className="report-band" aria-label="汇总方式与合计">
      {header}
      {dateFilter && (
        <DateShortcuts report={report} dateFilter={dateFilter} query={query} onChange={onQueryChange} />
      )}
      {dimensions.length > 1 && (
        <Select
          size="small"
          aria-label="汇总方式"
          style={{ width: 144 }}
          value={by}
          options={dimensions.map(([value, [, label]]) => ({ value, label: `按${label}` }))}
          onChange={value => onQueryChange({ by: value })}
        />
      )}
      {topTotals.map(figure => (
        <TopTotal
          key={figure}
          report={report}
          figure={figure}
          value={sums?.[figure]}
          isLoaded={sums !== undefined}
          to={sums && drilldownLink(figure, { query, by })}
          linkTitle={linkTitle}
        />
      ))}
    </div>
  )
}
