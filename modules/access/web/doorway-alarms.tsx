import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import type { DeviceFault } from '#modules/devices/contract/device-health.ts'
import { closeDoorwayAlarms, listDoorwayAlarms } from '../contract/doorway-alarm.ts'
import { liveAlarms } from './live-source.ts'

const columns = buildColumns(listDoorwayAlarms.output, [
  { key: 'title', title: '报警', identity: true, width: 240, grow: 3 },
  'level',
  { key: 'deviceName', title: '设备', width: 140, grow: 1, hidePriority: 3 },
  { key: 'count', hidePriority: 2 },
  'openTime',
  { key: 'lastTime', hidePriority: 2 },
  { key: 'closeTime', hidePriority: 3 },
  'state',
  { key: 'note', width: 160, grow: 1, hidePriority: 1 },
])

const closeAlarm = createReasonAction<DeviceFault>(closeDoorwayAlarms, {
  label: '处理报警',
  unit: '项报警',
  nameOf: row => row.title,
  reasonPresets: ['已到现场查看', '误报', '已报修'],
  disabledReason: row => (row.state === 'closed' ? '报警已处理' : undefined),
})

const views = [
  { id: '', name: '未恢复', filter: { state: ['open'] } },
  { id: 'recovered', name: '已恢复', filter: { state: ['recovered'] } },
  { id: 'closed', name: '已处理', filter: { state: ['closed'] } },
  { id: 'all', name: '全部', filter: {} },
]

/** 门禁报警: doors that were forced, or stand open. */
export default function DoorwayAlarmsPage() {
  useLiveRefetch(liveAlarms, [listDoorwayAlarms])
  return (
    <ListPage
      list={listDoorwayAlarms}
      itemName="门禁报警"
      keywordPlaceholder="报警"
      columns={columns}
      filters={['level', 'openTime']}
      barFilters={['level', 'openTime']}
      views={views}
      settingsKey="access/alarms"
      rowActions={row => [closeAlarm.row(row)]}
      batchActions={[closeAlarm.batch]}
    />
  )
}
