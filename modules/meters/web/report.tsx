import { SearchInput } from '#kit/web/search-input.tsx'
import { Button, Select } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useEffect, useMemo, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf, keysOf } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { sum } from '#kit/domain/decimal.ts'
import { monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { today, monthOfPicker } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterKind, usageUnits } from '../contract/choices.ts'
import { listMainLosses } from '../contract/meter-calls.ts'
import { exportReport, getMeterReport, listReportDetail, reportDetailFields } from '../contract/report.ts'
import { menu } from '../module.ts'
import './meters.css'

type MeterKind = keyof typeof meterKind.rows
const kindOptions = keysOf(meterKind).map(k => ({ value: k, label: labelOf(meterKind, k) }))
const pageSizes = [20, 50, 100]
type ReportLine = NonNullable<typeof getMeterReport.output.T>[number]
type MainLoss = NonNullable<typeof listMainLosses.output.T>[number]

const monthColumns = buildColumns<ReportLine>(getMeterReport.output, [
  'month',
  {
    key: 'buildName',
    grow: 1,
    render: r => r.buildName ?? '公共',
    text: r => r.buildName ?? '公共',
  },
  'meterKind',
  'meters',
  'read',
  {
    key: 'left',
    title: '未抄',
    align: 'right',
    width: 64,
    grow: 0,
    render: r => formatCount(r.meters - r.read),
    text: r => String(r.meters - r.read),
  },
  'estimated',
  'doubtful',
  { key: 'usage', strong: true },
  { key: 'billed', hidePriority: 1 },
])

const detailColumns = buildColumns(listReportDetail.output, [
  { key: 'sourceName', grow: 1 },
  { key: 'meterNo', width: 140 },
  'meterKind',
  { key: 'buildName', hidePriority: 2 },
  { key: 'lastNum', hidePriority: 1 },
  'curNum',
  { key: 'times', hidePriority: 1 },
  'usage',
  { key: 'before', title: '上一期间' },
  {
    key: 'change',
    render: r => (r.change === undefined ? '--' : `${r.change.startsWith('-') ? '' : '+'}${r.change}%`),
    text: r => r.change ?? '--',
  },
])

const lossColumns = buildColumns<MainLoss>(listMainLosses.output, [
  'meterNo',
  { key: 'sourceName', grow: 1 },
  'meterKind',
  'parts',
  'usage',
  'partUsage',
  'loss',
  { key: 'rate', render: r => (r.rate === undefined ? '--' : `${r.rate}%`), text: r => r.rate ?? '--' },
])

/** 用量与损耗: usage by month, building and kind; of each meter; losses of main meters. */
export default function ReportPage() {
  const project = useProject()
  return project ? <MeterReport project={project} key={project} /> : <StateMessage text="请先选择项目" />
}

interface ReportFilter {
  readonly projectCode: string
  readonly fromMonth: Month
  readonly toMonth: Month
  readonly meterKind?: readonly MeterKind[]
}

function MeterReport({ project }: { readonly project: string }) {
  const thisMonth = monthOf(today())
  const [fromMonth, setFromMonth] = useState(shiftMonth(thisMonth, -2))
  const [toMonth, setToMonth] = useState(thisMonth)
  const [kind, setKind] = useState<MeterKind>()
  const search = useDebouncedSearch()
  const hasPermission = usePermission()
  const filter = useMemo(
    (): ReportFilter => ({
      projectCode: project,
      fromMonth,
      toMonth,
      ...(kind ? { meterKind: [kind] } : {}),
    }),
    [project, fromMonth, toMonth, kind],
  )
  const detailFilter = useMemo(
    () => ({ ...filter, ...(search.keyword ? { keyword: search.keyword } : {}) }),
    [filter, search.keyword],
  )
  // Both are above the details: they are drawn together, so that nothing moves when the second arrives.
  const report = useCall(getMeterReport, filter, { keepPrevious: true, quiet: true })
  const losses = useCall(
    listMainLosses,
    { projectCode: project, fromMonth, toMonth },
    { keepPrevious: true, quiet: true, enabled: hasPermission(menu.meter.permissions.view) },
  )
  return (
    <div className="meter-report">
      <div className="toolbar" role="toolbar" aria-label="报表">
        <DatePicker.RangePicker
          picker="month"
          allowClear={false}
          aria-label="月份"
          value={[dayjs(`${fromMonth}-01`), dayjs(`${toMonth}-01`)]}
          onChange={months => {
            if (months?.[0] && months[1]) {
              setFromMonth(monthOfPicker(months[0]))
              setToMonth(monthOfPicker(months[1]))
            }
          }}
        />
        <Select
          aria-label="表类型"
          placeholder="表类型"
          allowClear={allowClear}
          style={{ width: 120 }}
          options={kindOptions}
          value={kind ?? null}
          onChange={chosen => setKind(chosen ?? undefined)}
        />
        <span className="spring" />
        {hasPermission(menu.reading.permissions.export) && (
          <Button onClick={() => void download(exportReport, detailFilter)}>导出明细</Button>
        )}
      </div>
      <div className="scroll">
        {report.isPending || losses.isLoading ? (
          <div className="meter-wait">
            <RowSkeleton rows={12} />
          </div>
        ) : (
          <>
            <UsageByMonth report={report} />
            {losses.data?.length ? <MainLosses losses={losses.data} /> : null}
            <h3>
              明细{' '}
              <SearchInput
                aria-label="搜索明细"
                placeholder="表号、房间"
                style={{ width: 200, marginInlineStart: 12 }}
                value={search.text}
                onChange={e => search.setText(e.target.value)}
              />
            </h3>
            <ReportDetail filter={detailFilter} />
          </>
        )}
      </div>
    </div>
  )
}

/** A keyword that follows the typed text after a moment. */
function useDebouncedSearch() {
  const [text, setText] = useState('')
  const [keyword, setKeyword] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(text.trim()), 300)
    return () => clearTimeout(timer)
  }, [text])
  return { text, setText, keyword }
}

function UsageByMonth({ report }: { readonly report: UseQueryResult<readonly ReportLine[]> }) {
  const totals = useMemo(
    () =>
      [...Map.groupBy(report.data ?? [], line => line.meterKind)].map(([kind, lines]) => ({
        kind,
        usage: sum(lines.map(line => line.usage)),
        unread: lines.reduce((n, line) => n + line.meters - line.read, 0),
      })),
    [report.data],
  )
  return (
    <>
      <div className="meter-cards">
        {totals.map(({ kind, usage, unread }) => (
          <div key={kind}>
            <span>{labelOf(meterKind, kind)}</span>
            <b>
              {formatValue(usage, reportDetailFields.usage)} {usageUnits[kind]}
            </b>
            <span>{unread ? `未抄 ${formatCount(unread)} 次` : '全部已抄'}</span>
          </div>
        ))}
      </div>
      <h3>
        按月、楼栋与类型 <small>有分表的总表不计入用量</small>
      </h3>
      {report.data === undefined ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      ) : (
        <DataTable
          rows={report.data}
          columns={monthColumns}
          keyOf={line => `${line.month}/${line.buildCode ?? ''}/${line.meterKind}`}
          label="用量"
          dense
          placeholder={report.data.length ? undefined : <StateMessage text="所选月份暂无读数" />}
        />
      )}
    </>
  )
}

const MainLosses = ({ losses }: { readonly losses: readonly MainLoss[] }) => (
  <>
    <h3>总表损耗</h3>
    <DataTable rows={losses} columns={lossColumns} keyOf={loss => loss.meterId} label="总表损耗" dense />
  </>
)

function ReportDetail({ filter }: { readonly filter: ReportFilter & { readonly keyword?: string } }) {
  // Another filter begins with the first page.
  const [position, setPosition] = useState({ filter, page: 1 })
  const page = position.filter === filter ? position.page : 1
  const [size, setSize] = useState(20)
  const detail = useCall(listReportDetail, { ...filter, page, size }, { keepPrevious: true, quiet: true })
  if (detail.isPending)
    return (
      <div className="meter-wait">
        <RowSkeleton rows={5} />
      </div>
    )
  if (detail.isError && !detail.data)
    return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
  return (
    <>
      <DataTable
        rows={detail.data.rows}
        columns={detailColumns}
        keyOf={row => row.meterId}
        label="抄表明细"
        dense
        placeholder={detail.data.rows.length ? undefined : <StateMessage text="无符合条件的读数" />}
      />
      <Paginator
        total={detail.data.total}
        page={page}
        size={size}
        sizes={pageSizes}
        onChange={(newPage, newSize) => {
          setPosition({ filter, page: newPage })
          setSize(newSize)
        }}
      />
    </>
  )
}
