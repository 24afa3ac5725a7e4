import { useState } from 'react'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  addGateway,
  editGateway,
  gateway,
  getGateway,
  listGateways,
  type Gateway,
} from '../contract/gateway.ts'
import { commandRules } from '../contract/remote-command.ts'
import { menu } from '../module.ts'
import { deleteGateway, openGateway, revokeAction } from './gateway-actions.ts'
import { gatewayColumns, gatewayGroups } from './gateway-columns.tsx'
import { gatewayViews } from './gateway-list.tsx'
import { useLiveDevices } from './live-devices.ts'
import { GatewayStatus } from './online-status.tsx'

const PairingDialog = lazyComponent(() => import('./pairing-dialog.tsx').then(m => m.PairingDialog))
const UpdateDialog = lazyComponent(() => import('./update-dialog.tsx').then(m => m.UpdateDialog))

type OpenDialog = { readonly kind: 'pair' | 'update'; readonly gateway: Gateway }

const formGroups = [{ keys: ['name', 'gateNo', 'location', 'remark'] }]

/** 网关管理: gateways entered, paired, updated and revoked. */
export default function GatewayManagementPage() {
  const [dialog, setDialog] = useState<OpenDialog>()
  useLiveDevices(listGateways)
  const close = (): void => setDialog(undefined)
  const form = useEdit({
    itemName: '网关',
    add: addGateway,
    edit: editGateway,
    load: getGateway,
    isRowComplete: true,
    nameOf: (row: Gateway) => row.name,
    groups: formGroups,
    onSaved: (saved: Gateway) => {
      if (saved.state === 'unpaired') {
        setDialog({ kind: 'pair', gateway: saved })
      }
    },
  })
  const rowActions = (row: Gateway) => [
    {
      label: row.state === 'paired' ? '重新配对' : '配对',
      needs: menu.gateway.permissions.pair,
      run: () => setDialog({ kind: 'pair', gateway: row }),
    },
    { label: '详情', run: () => openGateway(row) },
    form.editAction(row),
    {
      label: '升级网关程序',
      needs: commandRules.updateAgent.needs,
      disabledReason: row.isOnline ? undefined : '网关离线',
      run: () => setDialog({ kind: 'update', gateway: row }),
    },
    revokeAction(row),
    deleteGateway.row(row),
  ]
  return (
    <>
      <ListPage
        list={listGateways}
        itemName="网关"
        columns={gatewayColumns}
        filters={['isOnline', 'state']}
        barFilters={['state']}
        views={gatewayViews}
        keywordPlaceholder="网关名称、网关号"
        settingsKey="devices/gateway-management"
        primaryAction={form.addAction}
        rowActions={rowActions}
        batchActions={[deleteGateway.batch]}
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
      {form.dialog}
      {dialog?.kind === 'pair' && <PairingDialog of={dialog.gateway} onClose={close} />}
      {dialog?.kind === 'update' && <UpdateDialog of={dialog.gateway} onClose={close} />}
    </>
  )
}
