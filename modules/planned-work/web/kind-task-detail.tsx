import { useState } from 'react'
import { FooterActions, useAllowedActions } from '#kit/web/action.tsx'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { DetailPanel } from '#kit/web/detail/detail-panel.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import { workTask } from '../contract/task.ts'
import type { PlannedSpec } from './kind-spec.ts'
import { TaskContent } from './task-content.tsx'
import { reappointRefusal, taskGroups, taskNameOf } from './task-groups.ts'
import { useAssign } from './use-assign.tsx'

type ShownCalls = Pick<PlannedSpec['calls'], 'getTask' | 'assign' | 'reappoint' | 'permissions'>

const ReappointDialog = lazyComponent(async () => (await import('./reappoint-dialog.tsx')).ReappointDialog)

/** One task of a kind: what it asks and what came of it. */
export function KindTaskDetail({ calls }: { readonly calls: ShownCalls }) {
  const { getTask, assign: assignCall, reappoint, permissions } = calls
  const { record, placeholder } = useAddressedRecord(getTask, { tabTitle: ({ task }) => taskNameOf(task) })
  const assign = useAssign(assignCall, permissions.arrange)
  const [isReappointing, setReappointing] = useState(false)
  const allowedActions = useAllowedActions()
  if (!record) return placeholder
  const { task } = record
  const again = {
    label: '重派',
    needs: permissions.arrange,
    disabledReason: reappointRefusal(task),
    run: () => setReappointing(true),
  }
  return (
    <div className="detail-page">
      <header>
        <h2>{taskNameOf(task)}</h2>
        <ChoiceStatus choices={taskState} value={task.state} />
        <span className="spring" />
        <FooterActions actions={allowedActions([assign.row(task), again])} />
      </header>
      <DetailPanel fields={workTask.fields} row={task} groups={taskGroups} entity="workTask" />
      <TaskContent taskId={task.id} call={getTask} />
      {assign.dialog}
      {isReappointing && (
        <ReappointDialog call={reappoint} task={task} onClose={() => setReappointing(false)} />
      )}
    </div>
  )
}
