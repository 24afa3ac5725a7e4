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

/** With its place: the tasks of a plan over several begin at the same time. */
export const taskNameOf = ({
  planName,
  targetName,
  beginTime,
}: Pick<WorkTask, 'planName' | 'targetName' | 'beginTime'>): string =>
  [planName, targetName, beginTime.slice(0, 16)].filter(Boolean).join(' ')

/** Who does it now, or why nobody. */
export const assigneeText = ({
  staffName,
  candidateNames,
  nobodyReason,
}: Pick<WorkTask, 'staffName' | 'candidateNames' | 'nobodyReason'>): string =>
  nobodyReason ? `无人可派：${nobodyReason}` : (staffName ?? candidateNames ?? '')

export const isOpenTask = ({ state }: WorkTask): boolean => state === 'waiting' || state === 'running'

/** Who does it; where nobody could be asked, why. */
export const assigneeColumn = {
  key: 'who',
  title: '执行人',
  grow: 1,
  render: assigneeText,
  text: (task: WorkTask) => task.staffName ?? task.candidateNames ?? task.nobodyReason ?? '',
} as const
