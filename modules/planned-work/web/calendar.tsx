import { Radio } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { addDays, weekday, weekdayName, type Day } from '#kit/domain/day.ts'
import { dayOfPicker, today } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { defined } from '#kit/domain/defined.ts'
import { StateMessage } from '#kit/web/list/list-feedback.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { taskState } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'
import { getTaskCalendar } from '../contract/task-calls.ts'
import { paths } from '../module.ts'
import './planned-work.css'

type Scale = 'day' | 'week'
type RowsBy = 'staff' | 'place'

const monday = (day: Day): Day => addDays(day, 1 - weekday(day))

const daysOf = (scale: Scale, day: Day): Day[] =>
  scale === 'day' ? [day] : Array.from({ length: 7 }, (_, i) => addDays(monday(day), i))

const rowNameOf = (by: RowsBy, task: WorkTask): string =>
  by === 'place' ? (task.targetName ?? task.planName) : (task.staffName ?? task.candidateNames ?? '无人可派')

const TaskButton = ({
  task,
  onOpen,
}: {
  readonly task: WorkTask
  readonly onOpen: (task: WorkTask) => void
}) => {
  const [, label, tone] = taskState.rows[task.state]
  return (
    <button type="button" className={tone} onClick={() => onOpen(task)}>
      <b>
        {task.beginTime.slice(11, 16)} {task.planName}
      </b>
      <small>
        {[task.targetName, task.staffName ?? task.candidateNames, label].filter(Boolean).join(' · ')}
      </small>
    </button>
  )
}

interface GridProps {
  readonly tasks: readonly WorkTask[]
  readonly days: readonly Day[]
  readonly by: RowsBy
  readonly onOpen: (task: WorkTask) => void
}

const CalendarGrid = ({ tasks, days, by, onOpen }: GridProps) => {
  const rows = [...Map.groupBy(tasks, task => rowNameOf(by, task))].toSorted(([a], [b]) =>
    a.localeCompare(b, 'zh'),
  )
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
                    <TaskButton key={task.id} task={task} onOpen={onOpen} />
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface Shown {
  readonly day: Day
  readonly scale: Scale
  readonly by: RowsBy
  readonly staffIds: readonly string[]
}

const Toolbar = ({
  shown,
  onChange,
}: {
  readonly shown: Shown
  readonly onChange: (patch: Partial<Shown>) => void
}) => (
  <div className="toolbar" role="toolbar" aria-label="任务日历">
    <Radio.Group
      aria-label="按日或按周"
      optionType="button"
      options={[
        { value: 'day', label: '日' },
        { value: 'week', label: '周' },
      ]}
      value={shown.scale}
      onChange={e => onChange({ scale: e.target.value === 'day' ? 'day' : 'week' })}
    />
    <DatePicker
      allowClear={false}
      aria-label="日期"
      value={dayjs(shown.day)}
      onChange={date => {
        if (date) {
          onChange({ day: dayOfPicker(date) })
        }
      }}
    />
    <Radio.Group
      aria-label="按人或按对象"
      optionType="button"
      options={[
        { value: 'staff', label: '按人' },
        { value: 'place', label: '按对象' },
      ]}
      value={shown.by}
      onChange={e => onChange({ by: e.target.value === 'place' ? 'place' : 'staff' })}
    />
    <RefSelect
      field={defined(getTaskCalendar.input.fields.staffIds)}
      named
      inBar
      multiple
      placeholder="执行人"
      value={shown.staffIds}
      onChange={chosen => onChange({ staffIds: Array.isArray(chosen) ? chosen.map(String) : [] })}
    />
  </div>
)

/** 任务日历: the tasks of a day or a week, by person or by place. */
export default function CalendarPage() {
  const projectCode = useChosenProject()
  const [shown, setShown] = useState<Shown>(() => ({
    day: today(),
    scale: 'week',
    by: 'staff',
    staffIds: [],
  }))
  const navigate = useNavigate()
  const days = daysOf(shown.scale, shown.day)
  const query = useCall(
    getTaskCalendar,
    {
      from: defined(days[0]),
      to: defined(days.at(-1)),
      ...(projectCode ? { projectCode } : {}),
      ...(shown.staffIds.length ? { staffIds: shown.staffIds } : {}),
    },
    { keepPrevious: true, quiet: true },
  )
  return (
    <div className="work-calendar">
      <Toolbar shown={shown} onChange={patch => setShown(before => ({ ...before, ...patch }))} />
      <ScrollRegion className="grid" label="任务日历">
        <Loaded query={query} height={480} rows={8}>
          {tasks =>
            tasks.length ? (
              <CalendarGrid
                tasks={tasks}
                days={days}
                by={shown.by}
                onOpen={task => void navigate(`${paths.task}?id=${task.id}`)}
              />
            ) : (
              <StateMessage text="这些日期暂无任务" />
            )
          }
        </Loaded>
      </ScrollRegion>
    </div>
  )
}
