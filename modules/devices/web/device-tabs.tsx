import { buildColumns } from '#kit/web/columns.tsx'
import type { Actions } from '#kit/web/action.tsx'
import type { Id } from '#kit/domain/id.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction, sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { resendDeviceItems } from '../contract/device.ts'
import { closeDeviceFaults, listDeviceFaults, type DeviceFault } from '../contract/device-health.ts'
import {
  exportDeviceEvents,
  listDeviceEvents,
  retryDeviceEvent,
  type DeviceEventRow,
} from '../contract/device-event.ts'
import { listDeviceItems, type DeviceItem } from '../contract/device-item.ts'
import { eventContentText, eventTypeText } from '../domain/event-text.ts'
import { menu } from '../module.ts'

const { permissions } = menu.device

/** The gateway or device; all of them without one. */
export interface Subject {
  readonly gatewayId?: Id
  readonly deviceId?: Id
}

const filterOf = ({ gatewayId, deviceId }: Subject) => ({
  ...(gatewayId === undefined ? {} : { gatewayId: [String(gatewayId)] }),
  ...(deviceId === undefined ? {} : { deviceId: [String(deviceId)] }),
})

/** Under its gateway: what the site calls a device that the gateway does not have. */
const deviceNameOf = (row: DeviceEventRow): string => row.deviceName ?? row.reportedDevice ?? ''

const timeDoubtful = '设备时间异常'

/** A list in a tab, of its subject alone. */
const tabOptions = (subject: Subject) => ({
  embedded: true,
  pageSize: 20,
  fixedFilter: filterOf(subject),
})

const typeText = (row: DeviceEventRow): string => eventTypeText(row.type)
const contentText = (row: DeviceEventRow): string => eventContentText(row.type, row.content)

const eventColumns = buildColumns(listDeviceEvents.output, [
  { key: 'type', identity: true, width: 104, text: typeText, render: typeText },
  { key: 'deviceName', title: '设备', width: 140, hidePriority: 3, text: deviceNameOf, render: deviceNameOf },
  { key: 'gatewayName', width: 140, hidePriority: 2 },
  'eventTime',
  {
    key: 'deviceTime',
    width: 150,
    hidePriority: 3,
    text: row => (row.isTimeDoubtful ? [timeDoubtful, row.deviceTime].filter(Boolean).join('：') : ''),
    render: row =>
      row.isTimeDoubtful && (
        <Status tone="hold" plain title={row.deviceTime ? `设备上报 ${row.deviceTime}` : '设备未上报时间'}>
          {timeDoubtful}
        </Status>
      ),
  },
  { key: 'content', width: 240, grow: 2, hidePriority: 4, text: contentText, render: contentText },
  'state',
  { key: 'reason', width: 130, grow: 1, hidePriority: 2 },
])

const retryAction = (row: DeviceEventRow): Actions => [
  row.state === 'failed' && {
    label: '重新处理',
    needs: permissions.event,
    run: async () => {
      await sendAndToast(retryDeviceEvent, { id: row.id }, '已重新处理事件')
    },
  },
]

const without = <T extends { readonly key: string }>(columns: readonly T[], subject: Subject): T[] =>
  columns.filter(
    column =>
      !(subject.deviceId !== undefined && ['deviceName', 'gatewayName'].includes(column.key)) &&
      !(subject.gatewayId !== undefined && column.key === 'gatewayName'),
  )

/** What happened on site. */
export const EventList = (subject: Subject) => (
  <ListPage
    {...tabOptions(subject)}
    list={listDeviceEvents}
    export={exportDeviceEvents}
    keywordPlaceholder="类型、设备、网关、内容"
    itemName="事件"
    columns={without(eventColumns, subject)}
    filters={['type', 'state', 'eventTime', 'isTimeDoubtful']}
    barFilters={['state', 'eventTime']}
    settingsKey="devices/events"
    rowActions={retryAction}
  />
)

const faultColumns = buildColumns(listDeviceFaults.output, [
  { key: 'title', identity: true, width: 170, grow: 1 },
  'level',
  { key: 'kind', hidePriority: 3 },
  { key: 'deviceName', title: '设备', width: 140, hidePriority: 4 },
  { key: 'gatewayName', width: 140, hidePriority: 3 },
  { key: 'count', hidePriority: 2 },
  'openTime',
  { key: 'lastTime', hidePriority: 3, wideOnly: true },
  { key: 'closeTime', hidePriority: 3, wideOnly: true },
  'state',
  { key: 'note', width: 140, grow: 1, hidePriority: 2, wideOnly: true },
])

const closeFault = createReasonAction<DeviceFault>(closeDeviceFaults, {
  label: '处理故障',
  unit: '项故障',
  nameOf: row => row.title,
  reasonPresets: ['已修复', '误报', '更换设备'],
  disabledReason: row => (row.state === 'closed' ? '故障已处理' : undefined),
})

const faultViews = [
  { id: '', name: '未恢复', filter: { state: ['open'] } },
  { id: 'recovered', name: '已恢复', filter: { state: ['recovered'] } },
  { id: 'all', name: '全部', filter: {} },
]

/** Faults of gateways and devices, and closing them by hand. */
export const FaultList = (subject: Subject) => (
  <ListPage
    {...tabOptions(subject)}
    list={listDeviceFaults}
    itemName="故障"
    columns={without(faultColumns, subject)}
    filters={['level', 'kind', 'openTime']}
    barFilters={['level', 'kind']}
    views={faultViews}
    settingsKey="devices/faults"
    rowActions={row => [closeFault.row(row)]}
    batchActions={[closeFault.batch]}
  />
)

const itemColumns = buildColumns(listDeviceItems.output, [
  { key: 'itemKey', identity: true, width: 180, grow: 1 },
  { key: 'deviceName', title: '设备', width: 140, hidePriority: 4 },
  { key: 'action', hidePriority: 3 },
  'state',
  { key: 'itemVersion', title: '应有版本', hidePriority: 2 },
  { key: 'reportedVersion', title: '设备版本', hidePriority: 2 },
  { key: 'reason', width: 200, grow: 2 },
  { key: 'attempts', hidePriority: 3 },
  { key: 'nextTime', hidePriority: 3, wideOnly: true },
  { key: 'syncTime', hidePriority: 2, wideOnly: true },
])

const itemViews = [
  { id: '', name: '未同步', filter: { isUnsynced: true } },
  { id: 'failed', name: '下发失败', filter: { state: ['failed'] } },
  { id: 'all', name: '全部', filter: {} },
]

const resendItems = async (rows: readonly DeviceItem[]): Promise<void> => {
  const byDevice = Map.groupBy(rows, row => row.deviceId)
  for (const [id, items] of byDevice) {
    await sendAndInvalidate(resendDeviceItems, { id, keys: items.map(item => item.itemKey) })
  }
  toast.success(`已重新下发 ${rows.length} 项`)
}

/** What devices should hold against what they hold, and why it differs (ACS-3). */
export const ItemList = ({ deviceId }: { readonly deviceId?: Id }) => (
  <ListPage
    {...tabOptions(deviceId === undefined ? {} : { deviceId })}
    list={listDeviceItems}
    itemName="下发项"
    columns={itemColumns.filter(column => deviceId === undefined || column.key !== 'deviceName')}
    filters={['action', 'state']}
    barFilters={['action', 'state']}
    views={itemViews}
    settingsKey="devices/items"
    rowActions={row => [{ label: '重新下发', needs: permissions.resend, run: () => resendItems([row]) }]}
    batchActions={[
      { label: '重新下发', needs: permissions.resend, run: selected => resendItems(selected.rows) },
    ]}
  />
)
