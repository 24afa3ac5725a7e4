import { PrinterOutlined } from '@ant-design/icons'
import { Segmented, Select } from 'antd'
import dayjs from 'dayjs'
import { useMemo, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { addDays, firstOfMonth, lastOfMonth } from '#kit/domain/day.ts'
import { DatePicker } from '#kit/web/calendar.tsx'
import { columns, textOf, type Column, type Entry } from '#kit/web/columns.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { filterFields, listLink, readQuery } from '#kit/web/list/query.ts'
import { useCall } from '#kit/web/query.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { today } from '#kit/web/when.ts'
import { nowhere, type Report, type ReportRow } from '../contract/report.ts'
import { lastDays, ranged, useWay, type Filter, type Way } from './way.ts'
import './reports.css'

const ReportPrint = later(() => import('./report-print.tsx').then(m => m.ReportPrint))
export interface ReportScreen {
  readonly of: Report
  readonly path: string
  /** The date filter that the shortcuts set; without it the report has none. */
  readonly span?: string
  /** What is asked where nothing else is; the current month to today unless said. */
  readonly first?: (today: string) => Filter
  readonly entries?: readonly Entry<ReportRow>[]
  readonly bar?: readonly string[]
  /** Totals that stand above the list. */
  readonly above?: readonly string[]
  readonly way?: Way
  readonly tools?: Verbs
}
const spans = [['近 7 天', 7], ['近 30 天', 30], ['近 90 天', 90]] as const

/** What the address asks of a report: the usual filter where it says nothing. */
export function useAsked({ of, span, first, path }: Pick<ReportScreen, 'of' | 'span' | 'first' | 'path'>) {
  const at = useLocation(), navigate = useNavigate(), day = today(), fields = useMemo(() => filterFields(of.list), [of])
  const usual = useMemo(() => first?.(day) ?? (span ? { [`${span}From`]: firstOfMonth(day), [`${span}To`]: day } : {}), [first, span, day])
  const { filter, keyword } = useMemo(() => readQuery(at.search, fields), [at.search, fields]), said = new URLSearchParams(at.search)
  const bare = !Object.keys(filter).length && !keyword && !said.get('view') && !said.get('order'), asked: Filter = bare ? usual : filter
  const ask = (patch: Filter): void => void navigate(listLink(path, of.list, { ...asked, ...patch }, { keyword, view: '*' }), { replace: true })
  return { asked, keyword, ask, usual, by: (asked.by as string | undefined) ?? of.usual }
}
/** 近 7/30/90 天, a month by choice, and what the report is broken down by. */
function Band(p: ReportScreen & { readonly asked: Filter; readonly by: string; readonly ask: (patch: Filter) => void; readonly sums: Readonly<Record<string, number | string>> | undefined }) {
  const { of, span, asked, by, ask, sums, above = [] } = p, day = today(), way = useWay(p.way), [from, to] = span ? [asked[`${span}From`] as string | undefined, asked[`${span}To`] as string | undefined] : []
  const short = spans.find(([, n]) => from === addDays(day, 1 - n) && to === day)?.[0] ?? '', month = from && to && from === firstOfMonth(from) && (to === lastOfMonth(from) || (to === day && from === firstOfMonth(day))) ? from : undefined
  return (
    <div className="report-band" aria-label="汇总方式与合计">
      {span && <Segmented size="small" aria-label="日期" value={short} options={spans.map(([label]) => ({ value: label, label }))} onChange={v => { const n = spans.find(([label]) => label === v)?.[1]; if (n) ask(lastDays(span, day, n)) }} />}
      {span && <DatePicker size="small" picker="month" aria-label="选择月份" placeholder="选择月份" style={{ width: 110 }} value={month ? dayjs(month) : null} maxDate={dayjs(lastOfMonth(day))} onChange={d => d && ask(ranged(span, dayjs(d as never).format('YYYY-MM')))} />}
      <Select size="small" aria-label="汇总方式" style={{ width: 128 }} value={by} options={Object.entries(of.by.rows).map(([value, r]) => ({ value, label: `按${r[1]}` }))} onChange={v => ask({ by: v })} />
      {sums && above.map(k => { const f = of.list.output.fields[k]!, to = way(k, { asked, by }), words = textOf(f, sums[k]); return <span key={k} title={f.help}>{f.label} {to ? <Link to={to} className="figure" aria-label={`${f.label}的明细`}>{words}</Link> : <b className="figure">{words}</b>}</span> })}
    </div>
  )
}
/** A report as a screen: shortcuts, dimension, totals of the whole filter, a way down from every figure, export and print. */
export function ReportPage(p: ReportScreen) {
  const { of, span, bar } = p, { asked, keyword, ask, usual, by } = useAsked(p), way = useWay(p.way), [printing, setPrinting] = useState(false)
  const whole = useMemo(() => ({ ...asked, ...(keyword ? { keyword } : {}) }), [asked, keyword]), totals = useCall(of.list, { ...whole, page: 1, size: 1 }, { quiet: true, keep: true }).data?.sum
  const shown = useMemo(() => {
    const title = labelOf(of.by, by) ?? '名称', given = p.entries ?? [...Object.keys(of.figures), ...Object.keys(of.derived)]
    const linked = (c: Column<ReportRow>): Column<ReportRow> => ({ ...c, render: row => { const to = c.field && way(c.key, { asked, by, row }); return to && row[c.key] ? <Link to={to} className="report-figure">{c.render(row)}</Link> : c.render(row) } })
    return columns(of.list.output, [{ key: 'name', title, width: 160, grow: 1, identity: true, strong: true }, ...given]).map(c => (c.key === 'name' ? c : linked(of.derived[c.key] ? { ...c, sort: undefined } : c)))
  }, [asked, by, of, p.entries, way])
  const views = useMemo(() => [{ id: '', name: of.title, filter: usual }], [of, usual])
  return (
    <>
      <ListPage
        list={of.list} what={of.title} name={`fee-reports/${of.key}`} columns={shown} keyOf={r => r.key ?? nowhere} filters={[...(span && !of.filters.includes(span) ? [span] : []), ...of.filters]} {...(bar ? { bar } : {})} views={views} export={of.export} asks={of.of.fields} sought="名称"
        above={<Band {...p} asked={asked} by={by} ask={ask} sums={totals} />} tools={[...(p.tools ?? []), { label: '打印', icon: <PrinterOutlined />, run: () => setPrinting(true) }]}
      />
      {printing && <ReportPrint of={of} asked={whole} by={by} columns={shown} onDone={() => setPrinting(false)} />}
    </>
  )
}
