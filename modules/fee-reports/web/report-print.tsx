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

interface ReportPrintProps {
  readonly report: Report
  readonly query: Filter
  readonly by: string
  readonly columns: readonly Column<ReportRow>[]
  readonly onDone: () => void
}

const describeRange = (from: unknown, to: unknown): string =>
  from || to ? `${from ? String(from) : '最早'} 至 ${to ? String(to) : '最近'}` : ''

/** The date range and the choices of a query; other filters have no label to print. */
function describeQuery(report: Report, query: Filter): string {
  const entries = Object.entries(query).filter(([key]) => key !== 'by' && key !== 'keyword')
  const from = entries.find(([key]) => key.endsWith('From'))
  const to = entries.find(([key]) => key.endsWith('To'))
  const choices = entries
    .filter(entry => entry !== from && entry !== to)
    .map(([key, value]) => {
      const field = report.list.input.fields[key]
      if (!field?.choices) return ''
      const labels = [value].flat().map(choice => labelOf(defined(field.choices), String(choice)) ?? '')
      return `${field.label}：${labels.join('、')}`
    })
  return [describeRange(from?.[1], to?.[1]), ...choices].filter(Boolean).join('　')
}

function printRefusal(page: {
  readonly total: number
  readonly rows: readonly unknown[]
}): string | undefined {
  if (page.total > maxRows) return `一次最多打印 ${maxRows} 行，请缩小筛选范围或导出`
  return page.rows.length ? undefined : '暂无可打印的数据'
}

/** The whole report on A4 across, as it is now (STAT-14): totals last, the figures of the database. */
export function ReportPrint({ report, query, by, columns, onDone }: ReportPrintProps) {
  const answer = useCall(report.list, { ...query, page: 1, size: maxRows }, { quiet: true, staleMs: 0 })
  const page = answer.data
  const projectCode = useProject()
  const projectName = useSession(s => s.project?.name)
  const company = useSession(s => s.signed?.manager.companyName) ?? ''
  const refusal = answer.isError ? answer.error.message : page && printRefusal(page)
  useEffect(() => {
    if (refusal) {
      toast.warning(refusal)
      onDone()
    }
  }, [onDone, refusal])
  if (refusal || !page || answer.isFetching) return null
  const fields = report.list.output.fields
  const sheets = Array.from({ length: Math.ceil(page.rows.length / rowsPerSheet) }, (_, index) =>
    page.rows.slice(index * rowsPerSheet, (index + 1) * rowsPerSheet),
  )
  return (
    <PrintOut width={297} height={210} onDone={onDone}>
      {sheets.map((rows, index) => (
        <section className="report-paper" key={index}>
          <h1>{report.title}</h1>
          <p>
            <span>
              {company}　{projectCode ? (projectName ?? '') : '全部项目'}
            </span>
            <span>
              {describeQuery(report, query)}　按{labelOf(report.dimensions, by)}
            </span>
            <span>
              截至 {currentMinute()}　第 {index + 1}/{sheets.length} 页
            </span>
          </p>
          <table>
            <thead>
              <tr>
                {columns.map(column => (
                  <th key={column.key} className={column.align}>
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.key ?? row.name}>
                  {columns.map(column => (
                    <td key={column.key} className={column.align}>
                      {column.text(row)}
                    </td>
                  ))}
                </tr>
              ))}
              {index === sheets.length - 1 && (
                <tr className="total">
                  {columns.map(column => (
                    <td key={column.key} className={column.align}>
                      {column.key === 'name'
                        ? `合计（${page.total} 行）`
                        : page.sum?.[column.key] === undefined
                          ? ''
                          : textOf(defined(fields[column.key]), page.sum[column.key])}
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
