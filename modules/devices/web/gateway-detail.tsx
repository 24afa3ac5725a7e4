import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import type { Action } from '#kit/web/action.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import { listDevices } from '../contract/device.ts'
import { gateway, getGateway, type Gateway } from '../contract/gateway.ts'
import { commandRules } from '../contract/remote-command.ts'
import { menu } from '../module.ts'
import { sendCommand } from './command-confirm.ts'
import { CommandProgress } from './command-progress.tsx'
import { openDevice, resendAction } from './device-actions.ts'
import { deviceColumns } from './device-columns.tsx'
import { EventList, FaultList } from './device-tabs.tsx'
import { commandRefusal } from './gateway-access.ts'
import { deleteGateway, revokeAction } from './gateway-actions.ts'
import { gatewayGroups } from './gateway-columns.tsx'
import { useLiveDevices } from './live-devices.ts'
import { GatewayStatus } from './online-status.tsx'
import { RemoteTools } from './remote-tools.tsx'
import { TaskList } from './task-list.tsx'
import { useGatewayDialogs } from './use-gateway-dialogs.tsx'
import './gateways.css'

const GatewayDevices = ({ gatewayId }: { readonly gatewayId: Id }) => (
  <ListPage
    embedded
    pageSize={20}
    list={listDevices}
    itemName="设备"
    columns={deviceColumns.filter(column => column.key !== 'gateNo')}
    fixedFilter={{ gatewayId: [String(gatewayId)] }}
    filters={['isOnline', 'state', 'modelId']}
    barFilters={['isOnline', 'state']}
    settingsKey="devices/of-gateway"
    rowActions={row => [{ label: '详情', run: () => openDevice(row) }, resendAction(row)]}
  />
)

/** 网关详情: a site's computer with its devices, faults, events and tasks, and the tools to work on it. */
export default function GatewayDetailPage() {
  const hasPermission = usePermission()
  const dialogs = useGatewayDialogs()
  const [restartNo, setRestartNo] = useState<string>()
  useLiveDevices(getGateway)
  const restart = async (row: Gateway): Promise<void> => {
    const sent = await sendCommand({ gateway: row, command: 'restartMachine' })
    if (sent) {
      setRestartNo(sent)
    }
  }
  const pairAction = (row: Gateway, label: string): Action => ({
    label,
    needs: menu.gateway.permissions.pair,
    run: () => dialogs.pair(row),
  })
  const canViewTasks = hasPermission(menu.command.permissions.view)
  const canViewDevices = hasPermission(menu.device.permissions.view)
  return (
    <>
      <DetailPage
        loadCall={getGateway}
        title={row => row.name}
        status={row => (
          <>
            <GatewayStatus gateway={row} />
            <CommandProgress taskNo={restartNo} />
          </>
        )}
        groups={gatewayGroups}
        historyEntity={gateway.name}
        actions={row => [
          row.state !== 'paired' && pairAction(row, '配对'),
          {
            label: '升级网关程序',
            needs: commandRules.updateAgent.needs,
            disabledReason: commandRefusal(row, 'updateAgent'),
            run: () => dialogs.update(row),
          },
          row.state === 'paired' && pairAction(row, '重新配对'),
          {
            label: '重启机器',
            needs: commandRules.restartMachine.needs,
            danger: true,
            disabledReason: commandRefusal(row, 'restartMachine'),
            run: () => restart(row),
          },
          revokeAction(row),
          deleteGateway.row(row),
        ]}
        tabs={[
          ...(hasPermission(menu.command.permissions.send)
            ? [{ key: 'tools', label: '远程工具', body: (row: Gateway) => <RemoteTools gateway={row} /> }]
            : []),
          ...(canViewDevices
            ? [
                {
                  key: 'devices',
                  label: '设备',
                  body: (row: Gateway) => <GatewayDevices gatewayId={row.id} />,
                },
                { key: 'faults', label: '故障', body: (row: Gateway) => <FaultList gatewayId={row.id} /> },
                { key: 'events', label: '事件', body: (row: Gateway) => <EventList gatewayId={row.id} /> },
              ]
            : []),
          ...(canViewTasks
            ? [{ key: 'tasks', label: '任务', body: (row: Gateway) => <TaskList gatewayId={row.id} /> }]
            : []),
        ]}
      />
      {dialogs.dialog}
    </>
  )
}
