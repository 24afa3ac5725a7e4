import { labelOf } from '#kit/contract/field.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { today } from '#kit/web/date-format.ts'
import { monthOf } from '#kit/domain/month.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { anomaly } from '../contract/choices.ts'
import { listMeters } from '../contract/meter-calls.ts'
import { listReadings } from '../contract/reading.ts'
import { menu } from '../module.ts'
import { AnomalyFlags, formatUsage } from './labels.tsx'
import './meters.css'

const listColumns = buildColumns(listReadings.output, [
  { key: 'sourceName', grow: 1 },
  { key: 'meterNo', width: 140 },
  'meterKind',
  'month',
  { key: 'lastNum', hidePriority: 2 },
  'curNum',
  { key: 'usage', strong: true, text: formatUsage, render: formatUsage },
  'readDate',
  {
    key: 'anomalies',
    width: 160,
    render: r => <AnomalyFlags of={r} />,
    text: r => r.anomalies?.map(a => labelOf(anomaly, a)).join('、') ?? '--',
  },
  { key: 'createTime', title: '收到时间', hidePriority: 1 },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'doubt', name: '待确认异常', filter: { doubtful: true } },
]

/** How many smart meters have reported this month, and how a collector gets in. */
function CollectorProgress() {
  const project = useProject()
  const hasPermission = usePermission()
  const month = monthOf(today())
  const projectFilter = project ? { projectCode: project } : {}
  const meterCount = useCall(
    listMeters,
    { ...projectFilter, isSmart: true, state: ['active', 'broken'], size: 1 },
    { quiet: true, enabled: hasPermission(menu.meter.permissions.view) },
  ).data?.total
  const readingCount = useCall(
    listReadings,
    { ...projectFilter, source: ['automatic'], monthFrom: month, monthTo: month, size: 1 },
    { quiet: true },
  ).data?.total
  return (
    <div className="meter-smart">
      <span>
        {meterCount === undefined ? (
          ''
        ) : (
          <>
            智能表 <b>{formatCount(meterCount)}</b> 块，
          </>
        )}
        {month} 已收到 <b>{readingCount === undefined ? '--' : formatCount(readingCount)}</b>{' '}
        条读数。同一块表一个月里再次上报时，未出账的自动读数随之更新。
      </span>
      <span>采集系统按设备号或表号上报读数；接入方法见系统的接口说明，由管理员配置。</span>
    </div>
  )
}

/** 自动抄表: readings that collectors have sent. */
export default function SmartPage() {
  return (
    <ListPage
      list={listReadings}
      itemName="自动读数"
      columns={listColumns}
      fixedFilter={{ source: ['automatic'] }}
      filters={['month', 'meterKind', 'buildCode', 'readDate', 'anomalies', 'state']}
      barFilters={['month', 'meterKind', 'buildCode']}
      views={views}
      keywordPlaceholder="表号"
      settingsKey="meters/smart"
      belowToolbar={<CollectorProgress />}
    />
  )
}
