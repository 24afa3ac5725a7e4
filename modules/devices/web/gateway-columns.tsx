import { formatFileSize } from '#kit/contract/text.ts'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { listGateways, type Gateway } from '../contract/gateway.ts'
import { gatewayState, remoteCommand } from '../contract/choices.ts'
import { driverText } from '../domain/driver-name.ts'
import { GatewayStatus } from './online-status.tsx'

/** A gateway that was never paired, or is no more, has reported nothing to judge by. */
const healthText = (row: Gateway): string | undefined =>
  row.state === 'paired' ? formatCount(row.healthScore) : undefined

export const gatewayColumns = buildColumns(listGateways.output, [
  { key: 'name', identity: true, width: 160, grow: 1 },
  { key: 'gateNo', hidePriority: 3 },
  { key: 'estateName', width: 130, hidePriority: 2 },
  {
    key: 'state',
    title: '状态',
    width: 96,
    text: row =>
      row.state === 'paired' ? (row.isOnline ? '在线' : '离线') : labelOf(gatewayState, row.state),
    render: row => <GatewayStatus gateway={row} />,
  },
  { key: 'healthScore', hidePriority: 4, text: row => healthText(row) ?? '--' },
  { key: 'deviceCount', hidePriority: 4 },
  { key: 'hostName', width: 130, hidePriority: 2, wideOnly: true },
  { key: 'address', width: 130, hidePriority: 2, wideOnly: true },
  { key: 'agentVersion', width: 96, hidePriority: 3 },
  { key: 'lastBeat', hidePriority: 3 },
  { key: 'location', width: 140, grow: 1, hidePriority: 1, wideOnly: true },
])

const allowedText = ({ allowed }: Gateway): string | undefined =>
  allowed?.map(command => labelOf(remoteCommand, command)).join('、')

export const gatewayGroups = [
  {
    title: '网关',
    keys: [
      'gateNo',
      'estateName',
      'location',
      { key: 'healthScore', render: healthText },
      'deviceCount',
      'remark',
    ] as const,
  },
  {
    title: '现场计算机',
    keys: [
      'hostName',
      'platform',
      'address',
      'agentVersion',
      {
        key: 'clockOffset',
        render: (row: Gateway) =>
          row.clockOffset === undefined ? undefined : `${formatCount(row.clockOffset)} 毫秒`,
      },
      {
        key: 'freeBytes',
        render: (row: Gateway) => (row.freeBytes === undefined ? undefined : formatFileSize(row.freeBytes)),
      },
      'bufferedEvents',
      { key: 'drivers', render: (row: Gateway) => row.drivers?.map(driverText).join('、') },
      { key: 'allowed', wide: true, render: allowedText },
    ] as const,
  },
  {
    title: '连接',
    keys: [
      'lastBeat',
      'connectTime',
      'pairTime',
      'pairIp',
      { key: 'keyId', wide: true },
      'revokeTime',
      'revokeReason',
    ] as const,
  },
]
