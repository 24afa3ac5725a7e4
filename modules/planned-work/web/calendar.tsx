import { Button, Radio } from 'antd'
import dayjs from 'dayjs'
import { addDays, isDay, weekday, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { dayOfPicker, today } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { StateMessage } from '#kit/web/list/list-feedback.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { getWorkCalendar } from '../contract/overview.ts'
import { CalendarGrid, type RowsBy } from './calendar-grid.tsx'
import { KindFilter, useAddressKinds, useWorkKinds } from './kind-filter.tsx'
import './planned-work.css'

type Scale = 'day' | 'week'

const monday = (day: Day): Day => addDays(day, 1 - weekday(day))

const daysOf = (scale: Scale, day: Day): Day[] =>
  scale === 'day' ? [day] : Array.from({ length: 7 }, (_, i) => addDays(monday(day), i))

/** What is shown is in the address: back from a task, the calendar is as it was. */
function useShown() {
  const [dayText = '', setDay] = useAddressValue('day')
  const [scaleText, setScale] = useAddressValue('scale')
  const [byText, setBy] = useAddressValue('by')
  const [staffText = '', setStaff] = useAddressValue('staff')
  const scale: Scale = scaleText === 'day' ? 'day' : 'week'
  const by: RowsBy = byText === 'place' ? 'place' : 'staff'
  const staffIds = staffText.split(',').filter(id => /^\d+$/.test(id))
  return { day: isDay(dayText) ? dayText : today(), scale, by, staffIds, setDay, setScale, setBy, setStaff }
}

type Shown = ReturnType<typeof useShown>

const DayControls = ({ day, scale, setDay, setScale }: Shown) => {
  const step = scale === 'day' ? 1 : 7
  const unit = scale === 'day' ? '天' : '周'
  return (
    <>
      <Radio.Group
        aria-label="按日或按周"
        optionType="button"
        options={[
          { value: 'day', label: '日' },
          { value: 'week', label: '周' },
        ]}
        value={scale}
        onChange={e => setScale(e.target.value === 'day' ? 'day' : undefined)}
      />
      <Button aria-label={`上一${unit}`} onClick={() => setDay(addDays(day, -step))}>
        ‹
      </Button>
      <DatePicker
        allowClear={false}
        aria-label="日期"
        value={dayjs(day)}
        onChange={date => {
          if (date) {
            setDay(dayOfPicker(date))
          }
        }}
      />
      <Button aria-label={`下一${unit}`} onClick={() => setDay(addDays(day, step))}>
        ›
      </Button>
      <Button disabled={day === today()} onClick={() => setDay(undefined)}>
        今天
      </Button>
    </>
  )
}

const RowControls = ({ by, staffIds, setBy, setStaff }: Shown) => (
  <>
    <Radio.Group
      aria-label="按人或按对象"
      optionType="button"
      options={[
        { value: 'staff', label: '按人' },
        { value: 'place', label: '按对象' },
      ]}
      value={by}
      onChange={e => setBy(e.target.value === 'place' ? 'place' : undefined)}
    />
    <RefSelect
      field={defined(getWorkCalendar.input.fields.staffIds)}
      named
      inBar
      multiple
      placeholder="执行人"
      value={staffIds}
      onChange={chosen => setStaff(Array.isArray(chosen) ? chosen.map(String).join(',') : undefined)}
    />
  </>
)

/** 任务日历: the tasks of all kinds of a day or a week, by person or by place. */
export default function CalendarPage() {
  const projectCode = useChosenProject()
  const shown = useShown()
  const [kinds, setKinds] = useAddressKinds()
  const { taskPath } = useWorkKinds()
  const days = daysOf(shown.scale, shown.day)
  const query = useCall(
    getWorkCalendar,
    {
      from: defined(days[0]),
      to: defined(days.at(-1)),
      ...(projectCode ? { projectCode } : {}),
      ...(kinds.length ? { kinds } : {}),
      ...(shown.staffIds.length ? { staffIds: shown.staffIds } : {}),
    },
    { keepPrevious: true, quiet: true },
  )
  return (
    <div className="work-calendar">
      <div className="toolbar" role="toolbar" aria-label="任务日历">
        <DayControls {...shown} />
        <KindFilter value={kinds} onChange={setKinds} />
        <RowControls {...shown} />
      </div>
      <ScrollRegion className="grid" label="任务日历">
        <Loaded query={query} height={480} rows={8}>
          {({ rows, total }) =>
            rows.length ? (
              <>
                {total > rows.length && (
                  <p className="cut">
                    共 {total} 个任务，仅显示前 {rows.length} 个，请按项目、类别或执行人筛选
                  </p>
                )}
                <CalendarGrid
                  tasks={rows}
                  days={days}
                  by={shown.by}
                  pathOf={task => taskPath(task.kind, task.id)}
                />
              </>
            ) : (
              <StateMessage text="这些日期暂无任务" />
            )
          }
        </Loaded>
      </ScrollRegion>
    </div>
  )
}
