import { useState } from 'react'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { WorkTask } from '../contract/task.ts'
import { AssignedTasks } from './assigned-tasks.tsx'

interface AssignDialogProps {
  readonly call: KindCalls['assign']
  readonly tasks: readonly WorkTask[]
  /** 改派: they have a person already. */
  readonly replaces: boolean
  readonly onClose: () => void
}

const dialogOf = (call: KindCalls['assign'], replaces: boolean) => {
  const label = replaces ? '改派' : '指派'
  return actionDialog({
    call,
    title: (tasks: readonly WorkTask[]) =>
      tasks.length === 1 ? `${label}「${tasks[0]?.planName}」` : `${label} ${tasks.length} 个任务`,
    below: (_, tasks) => <AssignedTasks tasks={tasks} />,
    submitLabel: label,
    keys: ['staffId'],
    target: tasks => ({ ids: tasks.map(({ id }) => String(id)), replaces }),
    context: tasks => ({ projectCode: tasks[0]?.projectCode }),
    doneText: tasks => `已${label} ${tasks.length} 个任务`,
  })
}

/** Who does tasks that nobody has started. */
export function AssignDialog({ call, tasks, replaces, onClose }: AssignDialogProps) {
  const [Dialog] = useState(() => dialogOf(call, replaces))
  return <Dialog record={tasks} onClose={onClose} />
}
