import type { Action } from '#kit/web/action.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import type { WorkTask } from '#modules/planned-work/contract/task.ts'
import { disablePatrolTasks } from '../contract/task.ts'
import { menu } from '../module.ts'

export const taskName = (task: WorkTask): string => `${task.planName} ${task.beginTime.slice(0, 16)}`

const isOver = ({ state }: WorkTask): boolean => state !== 'waiting' && state !== 'running'

export const disableTask = createReasonAction<WorkTask>(disablePatrolTasks, {
  label: '停用',
  unit: '个巡更任务',
  nameOf: taskName,
  consequences: ['停用的任务不再签到，不计入到位率'],
  reasonPresets: ['道路封闭', '恶劣天气', '设备检修'],
  disabledReason: task => (isOver(task) ? '任务已结束或已停用' : undefined),
})

const reassignRefusal = ({ state, againText }: WorkTask): string | undefined => {
  if (state !== 'partial' && state !== 'missed') return '只有部分完成或未执行的任务可以重新指派'
  return againText === undefined ? undefined : `已重新指派给${againText}`
}

export const reassignAction = (task: WorkTask, open: (task: WorkTask) => void): Action => ({
  label: '重新指派',
  needs: menu.task.permissions.reassign,
  disabledReason: reassignRefusal(task),
  run: () => open(task),
})
