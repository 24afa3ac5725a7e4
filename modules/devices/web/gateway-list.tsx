import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { gateway, listGateways, type Gateway } from '../contract/gateway.ts'
import { menu } from '../module.ts'
import { openGateway } from './gateway-actions.ts'
import { gatewayColumns, gatewayGroups } from './gateway-columns.tsx'
import { useLiveDevices } from './live-devices.ts'
import { GatewayStatus } from './online-status.tsx'

const BatchCommandDialog = lazyComponent(() =>
  import('./batch-command-dialog.tsx').then(m => m.BatchCommandDialog),
)

export const gatewayViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'online', name: '在线', filter: { isOnline: true } },
  { id: 'offline', name: '离线', filter: { state: ['paired'], isOnline: false } },
  { id: 'unpaired', name: '未配对', filter: { state: ['unpaired', 'revoked'] } },
]

/** 现场网关: the computers of the sites, and commands on one or several of them. */
export default function GatewayListPage() {
  const [chosen, setChosen] = useState<readonly Gateway[]>()
  useLiveDevices(listGateways)
  const runOnSelected: BatchAction<Gateway> = {
    label: '执行指令',
    needs: menu.command.permissions.send,
    run: selected => setChosen(selected.rows),
  }
  const rowActions = (row: Gateway) => [
    { label: '详情', run: () => openGateway(row) },
    { label: '执行指令', needs: menu.command.permissions.send, run: () => setChosen([row]) },
  ]
  return (
    <>
      <ListPage
        list={listGateways}
        itemName="网关"
        columns={gatewayColumns}
        filters={['isOnline', 'state']}
        barFilters={['isOnline']}
        views={gatewayViews}
        keywordPlaceholder="网关名称、网关号"
        rowActions={rowActions}
        batchActions={[runOnSelected]}
        isDimmed={row => row.state === 'revoked'}
        drawer={{
          title: row => row.name,
          status: row => <GatewayStatus gateway={row} />,
          groups: gatewayGroups,
          historyEntity: gateway.name,
          actions: rowActions,
          openAsPage: openGateway,
        }}
      />
      {chosen && <BatchCommandDialog gateways={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
