import { Button, Input, Select } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useMemo, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { sum } from '#kit/domain/decimal.ts'
import { monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-states.tsx'
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
const kindOptions = Object.keys(meterKind.rows).map(k => ({
  value: k as MeterKind,
  label: labelOf(meterKind, k),
}))
const pageSizes = [20, 50, 100]
type ReportLine = NonNullable<typeof getMeterReport.output.T>[number]
type MainLoss = NonNullable<typeof listMainLosses.output.T>[number]

const monthColumns = buildColumns<ReportLine>(getMeterReport.output as never, [
  'month',
  {
    key: 'buildName',
    title: '楼栋',
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

const lossColumns = buildColumns<MainLoss>(listMainLosses.output as never, [
  'meterNo',
  { key: 'sourceName', grow: 1 },
  'meterKind',
  'parts',
  'usage',
  'partUsage',
  'loss',
  { key: 'rate', render: r => (r.rate === undefined ? '--' : `${r.rate}%`), text: r => r.rate ?? '--' },
])

/** 用量与损耗: by month, building and kind; each meter; what main meters lost. */
export default function ReportPage() {
  const project = useProject()
  return project ? (
    <MeterReport project={project} key={project} />
  ) : (
    <StateMessage text="报表要先选择一个项目" />
  )
}

function MeterReport({ project }: { readonly project: string }) {
  const now = monthOf(today())
  const [span, setSpan] = useState<readonly [from: Month, to: Month]>([shiftMonth(now, -2), now])
  const [kind, setKind] = useState<MeterKind>()
  const [word, setWord] = useState('')
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const may = usePermission()
  useEffect(() => {
    const t = setTimeout(() => {
      setKeyword(word.trim())
      setPage(1)
    }, 300)
    return () => clearTimeout(t)
  }, [word])
  const asked = useMemo(
    () => ({
      projectCode: project,
      fromMonth: span[0],
      toMonth: span[1],
      ...(kind ? { meterKind: [kind] } : {}),
    }),
    [project, span, kind],
  )
  const all = useCall(getMeterReport, asked, { keepPrevious: true, quiet: true })
  const rows = useCall(
    listReportDetail,
    { ...asked, ...(keyword ? { keyword } : {}), page, size },
    { keepPrevious: true, quiet: true },
  )
  const lost = useCall(
    listMainLosses,
    { projectCode: project, fromMonth: span[0], toMonth: span[1] },
    { keepPrevious: true, quiet: true, enabled: may(menu.meter.permissions.view) },
  )
  const byKind = useMemo(
    () =>
      [...Map.groupBy(all.data ?? [], r => r.meterKind)].map(
        ([k, some]) =>
          [k, sum(some.map(r => r.usage)), some.reduce((n, r) => n + r.meters - r.read, 0)] as const,
      ),
    [all.data],
  )
  return (
    <div className="meter-report">
      <div className="toolbar" role="toolbar" aria-label="报表">
        <DatePicker.RangePicker
          picker="month"
          allowClear={false}
          aria-label="月份"
          value={[dayjs(`${span[0]}-01`), dayjs(`${span[1]}-01`)]}
          onChange={v => {
            if (v?.[0] && v[1]) {
              setSpan([monthOfPicker(v[0]), monthOfPicker(v[1])])
              setPage(1)
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
          onChange={v => {
            setKind(v ?? undefined)
            setPage(1)
          }}
        />
        <span className="spring" />
        {may(menu.reading.permissions.export) && (
          <Button onClick={() => void download(exportReport, { ...asked, ...(keyword ? { keyword } : {}) })}>
            导出明细
          </Button>
        )}
      </div>
      <div className="scroll">
        <div className="meter-cards">
          {byKind.map(([k, used, left]) => (
            <div key={k}>
              <span>{labelOf(meterKind, k)}</span>
              <b>
                {formatValue(used, reportDetailFields.usage)} {usageUnits[k]}
              </b>
              <span>{left ? `未抄 ${formatCount(left)} 次` : '全部已抄'}</span>
            </div>
          ))}
        </div>
        <h3>
          按月、楼栋与类型 <small>有分表的总表不计入用量</small>
        </h3>
        {all.isPending ? (
          <div className="meter-wait">
            <RowSkeleton rows={5} />
          </div>
        ) : all.isError ? (
          <ErrorState error={all.error} onRetry={() => void all.refetch()} />
        ) : (
          <DataTable
            rows={all.data}
            columns={monthColumns}
            keyOf={r => `${r.month}/${r.buildCode ?? ''}/${r.meterKind}`}
            label="用量"
            dense
            placeholder={all.data.length ? undefined : <StateMessage text="这些月份还没有读数" />}
          />
        )}
        {lost.data && lost.data.length > 0 && (
          <>
            <h3>总表损耗</h3>
            <DataTable rows={lost.data} columns={lossColumns} keyOf={r => r.meterId} label="总表损耗" dense />
          </>
        )}
        <h3>
          明细{' '}
          <Input.Search
            aria-label="搜索明细"
            placeholder="表号、房间"
            allowClear={allowClear}
            style={{ width: 200, marginInlineStart: 12 }}
            value={word}
            onChange={e => setWord(e.target.value)}
          />
        </h3>
        {rows.isPending ? (
          <div className="meter-wait">
            <RowSkeleton rows={5} />
          </div>
        ) : rows.isError && !rows.data ? (
          <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
        ) : (
          <>
            <DataTable
              rows={rows.data.rows}
              columns={detailColumns}
              keyOf={r => r.meterId}
              label="抄表明细"
              dense
              placeholder={rows.data.rows.length ? undefined : <StateMessage text="没有符合条件的读数" />}
            />
            <Paginator
              total={rows.data.total}
              page={page}
              size={size}
              sizes={pageSizes}
              onChange={(p, s) => {
                setPage(p)
                setSize(s)
              }}
            />
          </>
        )}
      </div>
    </div>
  )
}
