import { defined } from '#kit/domain/defined.ts'
import { useEffect } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { textOf, type Column } from '#kit/web/columns.tsx'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { currentMinute } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import type { Report, ReportRow } from '../contract/report.ts'
import type { Filter } from './drilldown.ts'

const maxRows = 2000
const rowsPerSheet = 30

interface Props {
  readonly of: Report
  readonly asked: Filter
  readonly by: string
  readonly columns: readonly Column<ReportRow>[]
  readonly onDone: () => void
}

const describeFilter = (of: Report, asked: Filter): string => {
  const pairs = Object.entries(asked).filter(([k]) => k !== 'by' && k !== 'keyword')
  const from = pairs.find(([k]) => k.endsWith('From'))
  const to = pairs.find(([k]) => k.endsWith('To'))
  return [
    from || to
      ? `${(from?.[1] as string | undefined) ?? '最早'} 至 ${(to?.[1] as string | undefined) ?? '最近'}`
      : '',
    ...pairs
      .filter(p => p !== from && p !== to)
      .map(([k, v]) => {
        const f = of.list.input.fields[k]
        return f && f.choices
          ? `${f.label}：${[v]
              .flat()
              .map(x => labelOf(defined(f.choices), String(x)) ?? '')
              .join('、')}`
          : ''
      }),
  ]
    .filter(Boolean)
    .join('　')
}

/** The whole report on A4 across, as it stands now (STAT-14): totals last, the figures of the database. */
export function ReportPrint({ of, asked, by, columns, onDone }: Props) {
  const answer = useCall(of.list, { ...asked, page: 1, size: maxRows }, { quiet: true, staleMs: 0 })
  const page = answer.data
  const chosen = useProject()
  const project = useSession(s => s.project?.name)
  const company = useSession(s => s.signed?.manager.companyName) ?? ''
  const why = answer.isError
    ? answer.error.message
    : page && page.total > maxRows
      ? `一次最多打印 ${maxRows} 行，请缩小筛选范围或导出`
      : page && !page.rows.length
        ? '没有可打印的数据'
        : undefined
  useEffect(() => {
    if (why) {
      toast.warning(why)
      onDone()
    }
  }, [onDone, why])
  if (why || !page || answer.isFetching) return null
  const fields = of.list.output.fields
  const sheets = Array.from({ length: Math.ceil(page.rows.length / rowsPerSheet) }, (_, i) =>
    page.rows.slice(i * rowsPerSheet, (i + 1) * rowsPerSheet),
  )
  return (
    <PrintOut width={297} height={210} onDone={onDone}>
      {sheets.map((rows, i) => (
        <section className="report-paper" key={i}>
          <h1>{of.title}</h1>
          <p>
            <span>
              {company}　{chosen ? (project ?? '') : '全部项目'}
            </span>
            <span>
              {describeFilter(of, asked)}　按{labelOf(of.by, by)}
            </span>
            <span>
              截至 {currentMinute()}　第 {i + 1}/{sheets.length} 页
            </span>
          </p>
          <table>
            <thead>
              <tr>
                {columns.map(c => (
                  <th key={c.key} className={c.align}>
                    {c.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(r => (
                <tr key={r.key ?? r.name}>
                  {columns.map(c => (
                    <td key={c.key} className={c.align}>
                      {c.text(r)}
                    </td>
                  ))}
                </tr>
              ))}
              {i === sheets.length - 1 && (
                <tr className="total">
                  {columns.map(c => (
                    <td key={c.key} className={c.align}>
                      {c.key === 'name'
                        ? `合计（${page.total} 行）`
                        : page.sum?.[c.key] === undefined
                          ? ''
                          : textOf(defined(fields[c.key]), page.sum[c.key])}
                    </td>
                  ))}
                </tr>
              )}
            </tbody>
          </table>
        </section>
      ))}
    </PrintOut>
  )
}
