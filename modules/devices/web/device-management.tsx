import { useState } from 'react'
import type { Action } from '#kit/web/action.tsx'
import { permissionOf } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { addDevice, device, editDevice, listDevices, type Device } from '../contract/device.ts'
import { menu, paths } from '../module.ts'
import { deleteDevice, openDevice, resendAction } from './device-actions.ts'
import { deviceColumns, deviceFilters, deviceGroups } from './device-columns.tsx'
import { deviceViews } from './device-list.tsx'

const ReplaceDialog = lazyComponent(() => import('./replace-dialog.tsx').then(m => m.ReplaceDialog))

const editAction = (row: Device): Action => ({
  label: '编辑',
  needs: permissionOf(editDevice),
  run: () => navigateTo(`${paths.editor}?id=${row.id}`),
})

/** 设备管理: devices entered, changed, replaced and deleted. */
export default function DeviceManagementPage() {
  const [replaced, setReplaced] = useState<Device>()
  const rowActions = (row: Device) => [
    editAction(row),
    { label: '更换设备', needs: menu.device.permissions.replace, run: () => setReplaced(row) },
    resendAction(row),
    deleteDevice.row(row),
  ]
  return (
    <>
      <ListPage
        list={listDevices}
        itemName="设备"
        columns={deviceColumns}
        filters={deviceFilters}
        barFilters={['modelId', 'gatewayId', 'state']}
        views={deviceViews}
        keywordPlaceholder="设备名称、设备号、标识、位置"
        settingsKey="devices/management"
        primaryAction={{
          label: '新增设备',
          needs: permissionOf(addDevice),
          run: () => navigateTo(paths.editor),
        }}
        rowActions={rowActions}
        batchActions={[deleteDevice.batch]}
        isDimmed={row => row.state === 'disabled' || row.state === 'scrapped'}
        drawer={{
          title: row => row.name,
          groups: deviceGroups,
          historyEntity: device.name,
          actions: rowActions,
          openAsPage: openDevice,
        }}
      />
      {replaced && <ReplaceDialog record={replaced} onClose={() => setReplaced(undefined)} />}
    </>
  )
}
