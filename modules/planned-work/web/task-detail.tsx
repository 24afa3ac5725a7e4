import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { DetailPanel } from '#kit/web/detail/detail-panel.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import { workTask, type WorkTask } from '../contract/task.ts'
import { getTask } from '../contract/task-calls.ts'
import { TaskContent } from './task-content.tsx'
import { taskGroups } from './task-groups.ts'

const nameOf = ({ planName, beginTime }: WorkTask): string => `${planName} ${beginTime.slice(0, 16)}`

/** One task: what it asks and what came of it. */
export default function TaskDetailPage() {
  const { record, placeholder } = useAddressedRecord(getTask, { tabTitle: ({ task }) => nameOf(task) })
  if (!record) return placeholder
  const { task } = record
  return (
    <div className="detail-page">
      <header>
        <h2>{nameOf(task)}</h2>
        <ChoiceStatus choices={taskState} value={task.state} />
      </header>
      <DetailPanel fields={workTask.fields} row={task} groups={taskGroups} entity="workTask" />
      <TaskContent taskId={task.id} />
    </div>
  )
}
