import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listGateways, type Gateway } from '../contract/gateway.ts'
import { menu } from '../module.ts'
import { openGateway } from './gateway-actions.ts'
import { gatewayDrawer, gatewayListOptions } from './gateway-list-options.tsx'
import { useLiveDevices } from './live-devices.ts'

const BatchCommandDialog = lazyComponent(() =>
  import('./batch-command-dialog.tsx').then(m => m.BatchCommandDialog),
)

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
        {...gatewayListOptions}
        barFilters={['isOnline']}
        rowActions={rowActions}
        batchActions={[runOnSelected]}
        drawer={gatewayDrawer(rowActions)}
      />
      {chosen && <BatchCommandDialog gateways={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
