import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { WorkTask } from '../contract/task.ts'

/** What a task shows of itself, on its page and beside its list. */
export const taskGroups: readonly DetailGroup<WorkTask>[] = [
  {
    title: '任务',
    keys: [
      'planName',
      'targetName',
      'beginTime',
      'endTime',
      'closeTime',
      'staffName',
      'candidateNames',
      'nobodyReason',
      'assignerName',
      'assignTime',
    ],
  },
  {
    title: '结果',
    keys: [
      'stepDone',
      'stepTotal',
      'normalCount',
      'lateCount',
      'missCount',
      'abnormalCount',
      'score',
      'finishTime',
      'againText',
      'disableReason',
    ],
  },
]

/** Why a task cannot be given to somebody again (PAT-7). */
export const reappointRefusal = ({ state, againText }: WorkTask): string | undefined => {
  if (state !== 'partial' && state !== 'missed') return '未完成的任务才能重派'
  return againText === undefined ? undefined : `已重派给${againText}`
}

export const taskNameOf = ({ planName, beginTime }: WorkTask): string =>
  `${planName} ${beginTime.slice(0, 16)}`

export const isOpenTask = ({ state }: WorkTask): boolean => state === 'waiting' || state === 'running'

/** Who does it; where nobody could be asked, why. */
export const assigneeColumn = {
  key: 'who',
  title: '执行人',
  grow: 1,
  render: (task: WorkTask) =>
    task.nobodyReason ? `无人可派：${task.nobodyReason}` : (task.staffName ?? task.candidateNames),
  text: (task: WorkTask) => task.staffName ?? task.candidateNames ?? task.nobodyReason ?? '',
} as const
