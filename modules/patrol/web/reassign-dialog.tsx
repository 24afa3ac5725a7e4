import { addMinutes, fromInstant, secondsBetween } from '#kit/domain/moment.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import type { WorkTask } from '#modules/planned-work/contract/task.ts'
import { reassignPatrolTask } from '../contract/task.ts'
import { taskName } from './task-actions.ts'

/** From now on, for as long as the missed round. */
const times = (task: WorkTask) => {
  const beginTime = addMinutes(fromInstant(Math.floor(serverNow() / 60_000) * 60_000), 5)
  return { beginTime, endTime: addMinutes(beginTime, secondsBetween(task.beginTime, task.endTime) / 60) }
}

export const ReassignDialog = actionDialog({
  call: reassignPatrolTask,
  title: (task: WorkTask) => `重新指派「${taskName(task)}」`,
  submitLabel: '重新指派',
  keys: ['staffId', 'beginTime', 'endTime'],
  target: task => ({ id: task.id }),
  initial: times,
  doneText: (_, task) => `已指派给${task.staffName ?? '所选人员'}`,
})
