import { defined } from '#kit/domain/defined.ts'
import { PrinterOutlined } from '@ant-design/icons'
import { Segmented, Select } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { labelOf, type Field } from '#kit/contract/field.ts'
import { firstOfMonth, lastOfMonth, type Day, isDay } from '#kit/domain/day.ts'
import { shiftMonth, monthOf, type Month } from '#kit/domain/month.ts'
import { buildColumns, textOf, type Column, type ColumnSpec } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listLink } from '#kit/web/list/list-state.ts'
import { useEffectiveListState } from '#kit/web/list/use-list.ts'
import { useCall } from '#kit/web/query.ts'
import type { Actions } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import { nowhere, type Report, type ReportRow } from '../contract/report.ts'
import { rangeOfLastDays, toRange, useDrilldown, type Filter, type Drilldowns } from './drilldown.ts'
import './reports.css'

const MonthPicker = lazyComponent(
  () => import('./month-picker.tsx').then(m => m.MonthPicker),
  <span className="report-month" />,
)

const ReportPrint = lazyComponent(() => import('./report-print.tsx').then(m => m.ReportPrint))

export interface ReportScreen {
  readonly of: Report
  readonly path: string
  /** The date filter that the shortcuts set; without it the report has none. */
  readonly span?: string
  /** What is asked where nothing else is; the current month to today unless said. */
  readonly defaultFilter?: (today: Day) => Filter
  readonly entries?: readonly ColumnSpec<ReportRow>[] | ((by: string) => readonly ColumnSpec<ReportRow>[])
  readonly bar?: readonly string[]
  /** Totals that stand above the list. */
  readonly above?: readonly string[]
  readonly drilldowns?: Drilldowns
  /** What the rows behind its figures are, where they are not just the parts of them. */
  readonly leads?: string
  /** What stands first above the list: the choice between reports of one screen. */
  readonly head?: ReactNode
  /** Members of the address that are no filter and stay. */
  readonly mark?: string
  readonly tools?: Actions
}

const daySpans = [
  ['近 7 天', 7],
  ['近 30 天', 30],
  ['近 90 天', 90],
] as const

const findFilterField = (of: Report, key: string): Field => defined(of.asks[key] ?? of.of.fields[key])

/** Shortcuts by the kind of the filter: days with today among them (2§2), or months with this one. */
const listShortcuts = (
  of: Report,
  span: string,
  day: Day,
): readonly (readonly [label: string, filter: Filter])[] => {
  const month = monthOf(day)
  const months = (n: number): Filter => ({ [`${span}From`]: shiftMonth(month, 1 - n), [`${span}To`]: month })
  return findFilterField(of, span).kind === 'month'
    ? [
        ['本月', months(1)],
        ['近 6 个月', months(6)],
        ['近 12 个月', months(12)],
      ]
    : daySpans.map(([label, n]) => [label, rangeOfLastDays(span, day, n)] as const)
}

const reportViewName = (of: Report): string => `fee-reports/${of.key}`

/**
 * What the address asks of a report: the usual filter where it says nothing, a person's own view where it
 * names one.
 */
export function useReportQuery({
  of,
  span,
  defaultFilter,
  path,
  mark,
}: Pick<ReportScreen, 'of' | 'span' | 'defaultFilter' | 'path' | 'mark'>) {
  const navigate = useNavigate()
  const day = today()
  const usual = useMemo(
    () =>
      defaultFilter?.(day) ??
      (span
        ? findFilterField(of, span).kind === 'month'
          ? { [`${span}From`]: day.slice(0, 7), [`${span}To`]: day.slice(0, 7) }
          : { [`${span}From`]: firstOfMonth(day), [`${span}To`]: day }
        : {}),
    [defaultFilter, of, span, day],
  )
  const views = useMemo(() => [{ id: '', name: of.title, filter: usual }], [of, usual])
  const { filter: asked, keyword } = useEffectiveListState({
    list: of.list,
    itemName: '数据',
    settingsKey: reportViewName(of),
    views,
  })
  const ask = (patch: Filter): void => {
    const to = listLink(path, of.list, { ...asked, ...patch }, { keyword, view: '*' })
    void navigate(mark ? `${to}${to.includes('?') ? '&' : '?'}${mark}` : to, { replace: true })
  }
  return { asked: asked, keyword, ask, views, by: (asked.by as string | undefined) ?? of.defaultBy }
}

/** 近 7/30/90 天, a month by choice, and what the report is broken down by. */
function ReportToolbar(
  p: ReportScreen & {
    readonly asked: Filter
    readonly by: string
    readonly ask: (patch: Filter) => void
    readonly sums: Readonly<Record<string, number | string>> | undefined
  },
) {
  const { of, span, asked, by, ask, sums, above = [] } = p
  const day = today()
  const way = useDrilldown(p.drilldowns)
  const [from, to] = span
    ? [asked[`${span}From`] as Day | Month | undefined, asked[`${span}To`] as Day | Month | undefined]
    : []
  const all = span ? listShortcuts(of, span, day) : []
  const byMonth = span !== undefined && findFilterField(of, span).kind === 'month'
  const short = all.find(([, f]) => f[`${span}From`] === from && f[`${span}To`] === to)?.[0] ?? ''
  const month = byMonth
    ? from === to
      ? from
      : undefined
    : from &&
        to &&
        isDay(from) &&
        from === firstOfMonth(from) &&
        (to === lastOfMonth(from) || (to === day && from === firstOfMonth(day)))
      ? from
      : undefined
  return (
    <div className="report-band" aria-label="汇总方式与合计">
      {p.head}
      {span && (
        <Segmented
          size="small"
          aria-label="日期"
          value={short}
          options={all.map(([label]) => ({ value: label, label }))}
          onChange={v => {
            const f = all.find(([label]) => label === v)?.[1]
            if (f) {
              ask(f)
            }
          }}
        />
      )}
      {span && (
        <MonthPicker
          value={month}
          max={lastOfMonth(day)}
          onPick={m => ask(byMonth ? { [`${span}From`]: m, [`${span}To`]: m } : toRange(span, m))}
        />
      )}
      {Object.keys(of.by.rows).length > 1 && (
        <Select
          size="small"
          aria-label="汇总方式"
          style={{ width: 144 }}
          value={by}
          options={Object.entries(of.by.rows).map(([value, r]) => ({ value, label: `按${r[1]}` }))}
          onChange={v => ask({ by: v })}
        />
      )}
      {sums &&
        above.map(k => {
          const f = defined(of.list.output.fields[k])
          const to = way(k, { asked, by })
          const words = textOf(f, sums[k])
          return (
            <span key={k} title={f.help}>
              {f.label}{' '}
              {to ? (
                <Link to={to} className="figure" aria-label={`${f.label}的明细`} title={p.leads}>
                  {words}
                </Link>
              ) : (
                <b className="figure">{words}</b>
              )}
            </span>
          )
        })}
    </div>
  )
}

/**
 * A report as a screen: shortcuts, dimension, totals of the whole filter, a way down from every figure,
 * export and print.
 */
export function ReportPage(p: ReportScreen) {
  const { of, bar } = p
  const { asked, keyword, ask, views, by } = useReportQuery(p)
  const way = useDrilldown(p.drilldowns)
  const [printing, setPrinting] = useState(false)
  const whole = useMemo(() => ({ ...asked, ...(keyword ? { keyword } : {}) }), [asked, keyword])
  const totals = useCall(
    of.list,
    { ...whole, page: 1, size: 1 },
    { quiet: true, keepPrevious: true, enabled: p.above !== undefined },
  ).data?.sum
  const shown = useMemo(() => {
    const title = labelOf(of.by, by) ?? '名称'
    const given = (typeof p.entries === 'function' ? p.entries(by) : p.entries) ?? [
      ...Object.keys(of.figures),
      ...Object.keys(of.derived),
    ]
    const linked = (c: Column<ReportRow>): Column<ReportRow> => ({
      ...c,
      render: row => {
        const to = c.field && way(c.key, { asked, by, row })
        return to && row[c.key] && row[c.key] !== '0' ? (
          <Link to={to} className="report-figure" title={p.leads}>
            {c.render(row)}
          </Link>
        ) : (
          c.render(row)
        )
      },
    })
    return buildColumns(of.list.output, [
      { key: 'name', title, width: 160, grow: 1, identity: true, strong: true },
      ...given,
    ]).map(c =>
      c.key === 'name'
        ? c
        : linked(of.derived[c.key] ? { ...c, sortKey: undefined, align: 'right', width: 92, grow: 0 } : c),
    )
  }, [asked, by, of, p.entries, p.leads, way])
  return (
    <>
      <ListPage
        list={of.list}
        itemName="数据"
        settingsKey={reportViewName(of)}
        columns={shown}
        keyOf={r => r.key ?? nowhere}
        filters={[...Object.keys(of.asks), ...of.filters]}
        {...(bar ? { barFilters: bar } : {})}
        views={views}
        export={of.export}
        extraFilterFields={{ ...of.of.fields, ...of.asks }}
        keywordPlaceholder="名称"
        belowToolbar={<ReportToolbar {...p} asked={asked} by={by} ask={ask} sums={totals} />}
        toolbarActions={[
          ...(p.tools ?? []),
          { label: '打印', icon: <PrinterOutlined />, run: () => setPrinting(true) },
        ]}
      />
      {printing && (
        <ReportPrint of={of} asked={whole} by={by} columns={shown} onDone={() => setPrinting(false)} />
      )}
    </>
  )
}
