import { buildColumns } from '#kit/web/columns.tsx'
import { listRemoteTasks } from '../contract/remote-task.ts'

export const taskColumns = buildColumns(listRemoteTasks.output, [
  { key: 'cmdType', identity: true, width: 110 },
  { key: 'gatewayName', title: '网关', width: 150, grow: 1 },
  { key: 'deviceName', title: '设备', width: 130, hidePriority: 2 },
  { key: 'cmdData', width: 180, grow: 2, hidePriority: 1 },
  'state',
  { key: 'reason', width: 180, grow: 1, hidePriority: 2 },
  { key: 'operatorName', hidePriority: 2 },
  { key: 'sendTime', hidePriority: 1 },
  { key: 'endTime', hidePriority: 3, wideOnly: true },
  { key: 'taskNo', hiddenByDefault: true },
])
