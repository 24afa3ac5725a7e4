import { buildColumns } from '#kit/web/columns.tsx'
import { listRemoteTasks } from '../contract/remote-task.ts'
import { taskText, taskTitle } from '../domain/push.ts'

export const taskColumns = buildColumns(listRemoteTasks.output, [
  { key: 'cmdType', identity: true, width: 110, text: taskTitle, render: taskTitle },
  { key: 'gatewayName', width: 150, grow: 1 },
  { key: 'deviceName', title: '设备', width: 130, hidePriority: 2 },
  { key: 'cmdData', width: 130, grow: 1, hidePriority: 3, text: taskText, render: taskText },
  'state',
  { key: 'reason', width: 260, grow: 2, hidePriority: 4 },
  { key: 'operatorName', width: 100, hidePriority: 1 },
  { key: 'sendTime', hidePriority: 4 },
  { key: 'endTime', hidePriority: 2, wideOnly: true },
  { key: 'taskNo', hiddenByDefault: true },
])
