import { useState } from 'react'
import { permissionOf } from '#kit/web/form/use-edit.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { deviceState } from '../contract/choices.ts'
import { device, editDevice, getDevice, type Device } from '../contract/device.ts'
import { commandRules } from '../contract/remote-command.ts'
import { menu, paths } from '../module.ts'
import { deleteDevice, resendAction } from './device-actions.ts'
import { deviceGroups } from './device-columns.tsx'
import { EventList, FaultList, ItemList } from './device-tabs.tsx'
import { useLiveDevices } from './live-devices.ts'
import { OnlineStatus } from './online-status.tsx'
import { TaskList } from './task-list.tsx'

const ControlDialog = lazyComponent(() => import('./control-dialog.tsx').then(m => m.ControlDialog))
const ReplaceDialog = lazyComponent(() => import('./replace-dialog.tsx').then(m => m.ReplaceDialog))

type OpenDialog = { readonly kind: 'control' | 'replace'; readonly device: Device }

/** 设备详情: its facts, what it should hold, its faults, its events and the commands sent to it. */
export default function DeviceDetailPage() {
  const [dialog, setDialog] = useState<OpenDialog>()
  useLiveDevices(getDevice)
  const close = (): void => setDialog(undefined)
  return (
    <>
      <DetailPage
        loadCall={getDevice}
        title={row => row.name}
        status={row => (
          <>
            <OnlineStatus isOnline={row.isOnline} />
            <ChoiceStatus choices={deviceState} value={row.state} />
          </>
        )}
        groups={deviceGroups}
        historyEntity={device.name}
        actions={row => [
          {
            label: '控制设备',
            needs: commandRules.device.needs,
            disabledReason: row.isOnline ? undefined : '设备离线',
            run: () => setDialog({ kind: 'control', device: row }),
          },
          resendAction(row),
          {
            label: '所属网关',
            needs: menu.gateway.permissions.view,
            run: () => navigateTo(`${paths.gatewayDetail}?id=${row.gatewayId}`),
          },
          {
            label: '编辑',
            needs: permissionOf(editDevice),
            run: () => navigateTo(`${paths.editor}?id=${row.id}`),
          },
          {
            label: '更换设备',
            needs: menu.device.permissions.replace,
            run: () => setDialog({ kind: 'replace', device: row }),
          },
          deleteDevice.row(row),
        ]}
        tabs={[
          { key: 'items', label: '下发项', body: row => <ItemList deviceId={row.id} /> },
          { key: 'faults', label: '故障', body: row => <FaultList deviceId={row.id} /> },
          { key: 'events', label: '事件', body: row => <EventList deviceId={row.id} /> },
          { key: 'tasks', label: '任务', body: row => <TaskList deviceId={row.id} /> },
        ]}
      />
      {dialog?.kind === 'control' && <ControlDialog device={dialog.device} onClose={close} />}
      {dialog?.kind === 'replace' && <ReplaceDialog record={dialog.device} onClose={close} />}
    </>
  )
}
