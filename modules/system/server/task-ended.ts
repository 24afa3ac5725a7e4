import { labelOf, keyOf } from '#kit/contract/field.ts'
import type { TaskEnd } from '#kit/server/jobs.ts'
import { taskState } from '../contract/task.ts'
import { defineNotificationKind, notify } from './notify.ts'

const taskEndedKind = defineNotificationKind({ key: 'system.task', label: '后台任务完成', group: 'notice' })

const summarizeOutcome = (o: TaskEnd['outcome']): string =>
  [
    o.message,
    !o.message && o.success ? `成功 ${o.success} 条` : '',
    o.skipped ? `跳过 ${o.skipped} 条` : '',
    o.fail ? `失败 ${o.fail} 条` : '',
  ]
    .filter(Boolean)
    .join('，')

/** Whoever began long work hears how it ended, wherever he is by then. What he stopped himself is no news. */
export async function notifyTaskEnded({ tx, app, task, state, outcome }: TaskEnd): Promise<void> {
  const is = keyOf(taskState, state)
  if (!is || is === 'stopped' || task.operatorId === 0) return
  const text = summarizeOutcome(outcome)
  await notify(tx, app, task.ownerId, {
    kind: taskEndedKind,
    to: [task.operatorId],
    title: `${task.title}：${labelOf(taskState, is)}`,
    ...(text ? { text } : {}),
    link: 'tasks',
    bizId: task.id,
    level: is === 'failed' ? 'important' : 'normal',
  })
}
