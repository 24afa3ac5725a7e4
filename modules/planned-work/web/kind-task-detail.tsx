import { FooterActions, useAllowedActions } from '#kit/web/action.tsx'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { DetailPanel } from '#kit/web/detail/detail-panel.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import { workTask } from '../contract/task.ts'
import type { PlannedSpec } from './kind-spec.ts'
import { TaskContent } from './task-content.tsx'
import { taskGroups, taskNameOf } from './task-groups.ts'
import { useAssign } from './use-assign.tsx'

type ShownCalls = Pick<PlannedSpec['calls'], 'getTask' | 'assign' | 'permissions'>

/** One task of a kind: what it asks and what came of it. */
export function KindTaskDetail({ calls }: { readonly calls: ShownCalls }) {
  const { getTask, assign: assignCall, permissions } = calls
  const { record, placeholder } = useAddressedRecord(getTask, { tabTitle: ({ task }) => taskNameOf(task) })
  const assign = useAssign(assignCall, permissions.arrange)
  const allowedActions = useAllowedActions()
  if (!record) return placeholder
  const { task } = record
  return (
    <div className="detail-page">
      <header>
        <h2>{taskNameOf(task)}</h2>
        <ChoiceStatus choices={taskState} value={task.state} />
        <span className="spring" />
        <FooterActions actions={allowedActions([assign.row(task)])} />
      </header>
      <DetailPanel fields={workTask.fields} row={task} groups={taskGroups} entity="workTask" />
      <TaskContent taskId={task.id} call={getTask} />
      {assign.dialog}
    </div>
  )
}
