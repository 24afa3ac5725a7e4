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
      'disableReason',
    ],
  },
]
