import type { Actions } from '#kit/web/action.tsx'
import { gateway, listGateways, type Gateway } from '../contract/gateway.ts'
import { openGateway } from './gateway-actions.ts'
import { gatewayColumns, gatewayGroups } from './gateway-columns.tsx'
import { GatewayStatus } from './online-status.tsx'

/** What every list of gateways shows and looks through. */
export const gatewayListOptions = {
  list: listGateways,
  itemName: '网关',
  columns: gatewayColumns,
  filters: ['isOnline', 'state'] as const,
  views: [
    { id: '', name: '全部', filter: {} },
    { id: 'online', name: '在线', filter: { isOnline: true } },
    { id: 'offline', name: '离线', filter: { state: ['paired'], isOnline: false } },
    { id: 'unpaired', name: '未配对', filter: { state: ['unpaired', 'revoked'] } },
  ],
  keywordPlaceholder: '网关名称、网关号',
  isDimmed: (row: Gateway) => row.state === 'revoked',
}

export const gatewayDrawer = (actions: (row: Gateway) => Actions) => ({
  title: (row: Gateway) => row.name,
  status: (row: Gateway) => <GatewayStatus gateway={row} />,
  groups: gatewayGroups,
  historyEntity: gateway.name,
  actions,
  openAsPage: openGateway,
})
