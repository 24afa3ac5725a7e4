import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { device, listDevices, type Device } from '../contract/device.ts'
import { commandRules } from '../contract/remote-command.ts'
import { openDevice, resendAction } from './device-actions.ts'
import { deviceColumns, deviceFilters, deviceGroups } from './device-columns.tsx'
import { useLiveDevices } from './live-devices.ts'
import { OnlineStatus } from './online-status.tsx'

const ControlDialog = lazyComponent(() => import('./control-dialog.tsx').then(m => m.ControlDialog))
const ItemList = lazyComponent(() => import('./device-tabs.tsx').then(m => m.ItemList))

export const deviceViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'online', name: '在线', filter: { isOnline: true } },
  { id: 'offline', name: '离线', filter: { isOnline: false } },
  { id: 'faulty', name: '故障与维修', filter: { state: ['faulty', 'repair'] } },
]

/** 设备列表: the devices on site, whether they are connected, and their faults. */
export default function DeviceListPage() {
  const [controlled, setControlled] = useState<Device>()
  useLiveDevices(listDevices)
  const rowActions = (row: Device) => [
    { label: '详情', run: () => openDevice(row) },
    {
      label: '控制设备',
      needs: commandRules.device.needs,
      disabledReason: row.isOnline ? undefined : '设备离线',
      run: () => setControlled(row),
    },
    resendAction(row),
  ]
  return (
    <>
      <ListPage
        list={listDevices}
        itemName="设备"
        columns={deviceColumns}
        filters={deviceFilters}
        barFilters={['modelId', 'gatewayId']}
        views={deviceViews}
        keywordPlaceholder="设备名称、设备号、标识、位置"
        rowActions={rowActions}
        isDimmed={row => row.state === 'disabled' || row.state === 'scrapped'}
        drawer={{
          title: row => row.name,
          width: 880,
          status: row => <OnlineStatus isOnline={row.isOnline} />,
          groups: deviceGroups,
          tabs: [{ key: 'items', label: () => '下发项', body: row => <ItemList deviceId={row.id} /> }],
          historyEntity: device.name,
          actions: rowActions,
          openAsPage: openDevice,
        }}
      />
      {controlled && <ControlDialog device={controlled} onClose={() => setControlled(undefined)} />}
    </>
  )
}
