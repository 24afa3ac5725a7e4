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
