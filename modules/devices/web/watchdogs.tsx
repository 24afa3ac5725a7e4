import { buildColumns } from '#kit/web/columns.tsx'
import { permissionOf } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import {
  addWatchdog,
  deleteWatchdogs,
  editWatchdog,
  listWatchdogs,
  type Watchdog,
} from '../contract/watchdog.ts'
import { paths } from '../module.ts'

const listColumns = buildColumns(listWatchdogs.output, [
  { key: 'name', identity: true, width: 160, grow: 1 },
  { key: 'targetGatewayName', width: 150, grow: 1 },
  { key: 'targetDeviceName', width: 140, hidePriority: 3 },
  { key: 'deviceName', width: 140, hidePriority: 3 },
  { key: 'checkSeconds', hidePriority: 2 },
  { key: 'missLimit', hidePriority: 2 },
  { key: 'missCount', hidePriority: 4 },
  'action',
  { key: 'restartTime', hidePriority: 4 },
  { key: 'restartCount', hidePriority: 3 },
  { key: 'lastMessage', width: 160, grow: 1, hidePriority: 2 },
  'state',
])

export const deleteWatchdog = createReasonAction<Watchdog>(deleteWatchdogs, {
  unit: '个看门狗',
  nameOf: row => row.name,
  consequences: ['看护的网关或设备失联后不再自动恢复'],
  reasonPresets: ['不再使用', '录入有误'],
})

const open = (path: string, row: Watchdog): void => navigateTo(`${path}?id=${row.id}`)

/** 看门狗设备: what restarts a gateway or a device that is silent. */
export default function WatchdogsPage() {
  return (
    <ListPage
      list={listWatchdogs}
      itemName="看门狗"
      columns={listColumns}
      filters={['targetGatewayId', 'action', 'state']}
      barFilters={['targetGatewayId', 'state']}
      primaryAction={{
        label: '新增看门狗',
        needs: permissionOf(addWatchdog),
        run: () => navigateTo(paths.watchdogAdd),
      }}
      rowActions={row => [
        { label: '查看', run: () => open(paths.watchdogDetail, row) },
        { label: '编辑', needs: permissionOf(editWatchdog), run: () => open(paths.watchdogEdit, row) },
        deleteWatchdog.row(row),
      ]}
      batchActions={[deleteWatchdog.batch]}
      isDimmed={row => row.state === 'off'}
      drawer={{
        title: row => row.name,
        historyEntity: 'watchdog',
        openAsPage: row => open(paths.watchdogDetail, row),
      }}
    />
  )
}
