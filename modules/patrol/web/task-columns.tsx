import { buildColumns } from '#kit/web/columns.tsx'
import type { WorkTask } from '#modules/planned-work/contract/task.ts'
import { listPatrolTasks } from '../contract/task.ts'

const timeText = ({ beginTime, endTime }: WorkTask): string =>
  `${beginTime.slice(11, 16)} ~ ${endTime.slice(11, 16)}`

/** The person who walks, or those who may; empty where the plan found nobody. */
const personText = ({ staffName, candidateNames, nobodyReason }: WorkTask): string =>
  staffName ?? candidateNames ?? (nobodyReason === undefined ? '--' : '无人可派')

export const taskColumns = buildColumns(listPatrolTasks.output, [
  { key: 'planName', identity: true, grow: 2 },
  'taskDate',
  { key: 'beginTime', title: '时间', width: 120, render: timeText, text: timeText },
  { key: 'staffName', title: '巡更人', grow: 1, render: personText, text: personText },
  { key: 'stepTotal', title: '应巡点' },
  { key: 'stepDone', title: '已巡点' },
  { key: 'normalCount', hidePriority: 2 },
  { key: 'lateCount', hidePriority: 1 },
  'missCount',
  'abnormalCount',
  'state',
])
