import { labelOf, keyOf } from '#kit/contract/field.ts'
import type { TaskEnd } from '#kit/server/jobs.ts'
import { taskState } from '../contract/task.ts'
import { defineNotificationKind, notify } from './notify.ts'

export const taskEndedKind = defineNotificationKind({
  key: 'system.task',
  label: '后台任务完成',
  group: 'notice',
})

const summarizeOutcome = ({ message, success, skipped, fail }: TaskEnd['outcome']): string =>
  [
    message,
    !message && success ? `成功 ${success} 条` : '',
    skipped ? `跳过 ${skipped} 条` : '',
    fail ? `失败 ${fail} 条` : '',
  ]
    .filter(Boolean)
    .join('，')

/** Notifies the operator who started a task of its end; not of a stop by the same operator. */
export async function notifyTaskEnded({ tx, app, task, state, outcome }: TaskEnd): Promise<void> {
  const endState = keyOf(taskState, state)
  if (!endState || endState === 'stopped' || task.operatorId === 0) return
  const text = summarizeOutcome(outcome)
  await notify(tx, app, task.ownerId, {
    kind: taskEndedKind,
    to: [task.operatorId],
    title: `${task.title}：${labelOf(taskState, endState)}`,
    ...(text ? { text } : {}),
    link: 'tasks',
    bizId: task.id,
    level: endState === 'failed' ? 'important' : 'normal',
  })
}
