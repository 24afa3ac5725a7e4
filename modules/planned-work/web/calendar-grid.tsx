import { useNavigate } from 'react-router'
import { weekdayName, type Day } from '#kit/domain/day.ts'
import { labelOf } from '#kit/contract/field.ts'
import { today } from '#kit/web/date-format.ts'
import { taskState, workKind } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'

export type RowsBy = 'staff' | 'place'

const personOf = (task: WorkTask): string => task.staffName ?? task.candidateNames ?? '无人可派'

/** Without an object a task is of its plan: a round of its road. */
const placeOf = (task: WorkTask): string => task.targetName ?? task.planName

interface TaskEntryProps {
  readonly task: WorkTask
  readonly by: RowsBy
  readonly to: string | undefined
}

const TaskEntry = ({ task, by, to }: TaskEntryProps) => {
  const navigate = useNavigate()
  const [, label, tone] = taskState.rows[task.state]
  const other = by === 'staff' ? task.targetName : personOf(task)
  return (
    <button
      type="button"
      className={tone}
      disabled={to === undefined}
      onClick={() => to !== undefined && void navigate(to)}
    >
      <b>
        {task.beginTime.slice(11, 16)} {task.planName}
      </b>
      <small>{[labelOf(workKind, task.kind), other, label].filter(Boolean).join(' · ')}</small>
    </button>
  )
}

interface CalendarGridProps {
  readonly tasks: readonly WorkTask[]
  readonly days: readonly Day[]
  readonly by: RowsBy
  readonly pathOf: (task: WorkTask) => string | undefined
}

/** A row for each person or place, a column for each day; a task is under the day on which it begins. */
export const CalendarGrid = ({ tasks, days, by, pathOf }: CalendarGridProps) => {
  const nameOf = by === 'staff' ? personOf : placeOf
  const rows = [...Map.groupBy(tasks, nameOf)].toSorted(([a], [b]) => a.localeCompare(b, 'zh'))
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{by === 'staff' ? '执行人' : '对象'}</th>
          {days.map(day => (
            <th key={day} scope="col" className={day === today() ? 'today' : undefined}>
              {day.slice(5)} {weekdayName(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ofRow]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {days.map(day => (
              <td key={day}>
                {ofRow
                  .filter(task => task.taskDate === day)
                  .map(task => (
                    <TaskEntry key={task.id} task={task} by={by} to={pathOf(task)} />
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
