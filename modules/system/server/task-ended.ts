import { labelOf, keyOf } from '#kit/contract/field.ts'
import type { TaskEnd } from '#kit/server/jobs.ts'
import { taskState } from '../contract/task.ts'
import { noticeKind, notify } from './notify.ts'

const ended = noticeKind({ key: 'system.task', label: '后台任务完成', group: 'notice' })

const figures = (o: TaskEnd['outcome']): string =>
  [
    o.message,
    !o.message && o.success ? `成功 ${o.success} 条` : '',
    o.skipped ? `跳过 ${o.skipped} 条` : '',
    o.fail ? `失败 ${o.fail} 条` : '',
  ]
    .filter(Boolean)
    .join('，')

/** Whoever began long work hears how it ended, wherever he is by then. What he stopped himself is no news. */
export async function tellTaskEnded({ tx, world, task, state, outcome }: TaskEnd): Promise<void> {
  const is = keyOf(taskState, state)
  if (!is || is === 'stopped' || task.operatorId === 0) return
  const text = figures(outcome)
  await notify(tx, world, task.ownerId, {
    kind: ended,
    to: [task.operatorId],
    title: `${task.title}：${labelOf(taskState, is)}`,
    ...(text ? { text } : {}),
    link: 'tasks',
    bizId: task.id,
    level: is === 'failed' ? 'important' : 'normal',
  })
}
