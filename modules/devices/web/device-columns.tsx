import { buildColumns } from '#kit/web/columns.tsx'
import { listDevices, type Device } from '../contract/device.ts'
import { driverText } from '../domain/driver-name.ts'
import { deviceTypeText } from '../domain/device-type.ts'
import { OnlineStatus } from './online-status.tsx'

/** Of the devices of a list; those whose gateway is the subject need no column for it. */
export const deviceColumns = buildColumns(listDevices.output, [
  { key: 'name', identity: true, width: 160, grow: 1 },
  { key: 'devNo', hidePriority: 3 },
  { key: 'systemType', title: '系统', width: 88, hidePriority: 3 },
  { key: 'modelName', hidePriority: 3 },
  { key: 'gateNo', hidePriority: 2 },
  { key: 'address', hidePriority: 1, wideOnly: true },
  { key: 'location', width: 140, grow: 1, hidePriority: 2 },
  {
    key: 'isOnline',
    width: 88,
    text: row => (row.isOnline ? '在线' : '离线'),
    render: row => <OnlineStatus isOnline={row.isOnline} />,
  },
  'state',
  { key: 'healthScore', hidePriority: 4 },
  { key: 'unsyncedCount', hidePriority: 4 },
  { key: 'lastBeat', hidePriority: 2, wideOnly: true },
  { key: 'kernelVersion', hiddenByDefault: true },
])

/** What 设备列表 and 设备管理 filter by. */
export const deviceFilters = [
  'state',
  'systemType',
  'modelId',
  'gatewayId',
  'buildCode',
  'isOnline',
  'healthScore',
] as const

export const deviceGroups = [
  {
    title: '设备',
    keys: [
      'devNo',
      'systemType',
      'modelName',
      { key: 'devType', render: (row: Device) => deviceTypeText(row.devType) },
      { key: 'driver', render: (row: Device) => row.driver && driverText(row.driver) },
      'identity',
      'address',
      'hostNo',
      'state',
    ] as const,
  },
  { title: '位置', keys: ['estateName', 'buildName', 'areaName', 'location', 'remark'] as const },
  {
    title: '运行',
    keys: ['gateNo', 'lastBeat', 'kernelVersion', 'healthScore', 'unsyncedCount', 'settings'] as const,
  },
]
