import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import type { WorkTask } from '../contract/task.ts'
import { assigneeText } from './task-groups.ts'
import './live-preview.css'

interface AssignedTasksProps {
  readonly tasks: readonly Pick<
    WorkTask,
    | 'id'
    | 'planName'
    | 'targetName'
    | 'beginTime'
    | 'endTime'
    | 'staffName'
    | 'candidateNames'
    | 'nobodyReason'
  >[]
}

/** The tasks that get another person: their places, times and current person. */
export const AssignedTasks = ({ tasks }: AssignedTasksProps) => (
  <section className="plan-preview" aria-label="所选任务">
    <ScrollRegion label="所选任务" className="rows">
      <table>
        <thead>
          <tr>
            <th>对象</th>
            <th>时间</th>
            <th>现执行人</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map(task => (
            <tr key={task.id}>
              <td>{task.targetName ?? task.planName}</td>
              <td>
                {task.beginTime.slice(5, 16)} ~ {task.endTime.slice(11, 16)}
              </td>
              <td>{assigneeText(task) || '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  </section>
)
