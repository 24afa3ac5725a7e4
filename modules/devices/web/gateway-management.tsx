import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { addGateway, editGateway, getGateway, listGateways, type Gateway } from '../contract/gateway.ts'
import { commandRules } from '../contract/remote-command.ts'
import { menu } from '../module.ts'
import { deleteGateway, openGateway, revokeAction } from './gateway-actions.ts'
import { gatewayDrawer, gatewayListOptions } from './gateway-list-options.tsx'
import { useLiveDevices } from './live-devices.ts'
import { useGatewayDialogs } from './use-gateway-dialogs.tsx'

const formGroups = [{ keys: ['name', 'gateNo', 'location', 'remark'] }]

/** 网关管理: gateways entered, paired, updated and revoked. */
export default function GatewayManagementPage() {
  const dialogs = useGatewayDialogs()
  useLiveDevices(listGateways)
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
        dialogs.pair(saved)
      }
    },
  })
  const pairAction = (row: Gateway, label: string) => ({
    label,
    needs: menu.gateway.permissions.pair,
    run: () => dialogs.pair(row),
  })
  const rowActions = (row: Gateway) => [
    row.state !== 'paired' && pairAction(row, '配对'),
    { label: '详情', run: () => openGateway(row) },
    form.editAction(row),
    {
      label: '升级网关程序',
      needs: commandRules.updateAgent.needs,
      disabledReason: row.isOnline ? undefined : '网关离线',
      run: () => dialogs.update(row),
    },
    row.state === 'paired' && pairAction(row, '重新配对'),
    revokeAction(row),
    deleteGateway.row(row),
  ]
  return (
    <>
      <ListPage
        {...gatewayListOptions}
        barFilters={['state']}
        settingsKey="devices/gateway-management"
        primaryAction={form.addAction}
        rowActions={rowActions}
        batchActions={[deleteGateway.batch]}
        drawer={gatewayDrawer(rowActions)}
      />
      {form.dialog}
      {dialogs.dialog}
    </>
  )
}
