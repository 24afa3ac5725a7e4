import { useState } from 'react'
import { addMinutes, asMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { WorkTask } from '../contract/task.ts'
import { taskNameOf } from './task-groups.ts'

/** The coming full hour. */
const nextHour = (): Moment => asMoment(`${addMinutes(fromInstant(serverNow()), 60).slice(0, 14)}00:00`)

const dialogOf = (call: KindCalls['reappoint']) =>
  actionDialog({
    call,
    title: (task: WorkTask) => `重派「${taskNameOf(task)}」`,
    submitLabel: '重派',
    keys: ['staffId', 'beginTime', 'endTime'],
    target: task => ({ id: task.id }),
    initial: () => ({ beginTime: nextHour(), endTime: addMinutes(nextHour(), 60) }),
    doneText: task => `已重派「${task.planName}」`,
  })

/** A missed task is given to another person and time (PAT-7). */
export function ReappointDialog({
  call,
  task,
  onClose,
}: {
  readonly call: KindCalls['reappoint']
  readonly task: WorkTask
  readonly onClose: () => void
}) {
  const [Dialog] = useState(() => dialogOf(call))
  return <Dialog record={task} onClose={onClose} />
}
