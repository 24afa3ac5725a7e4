import { Drawer } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { Month } from '#kit/domain/month.ts'
import { useCall } from '#kit/web/query.ts'
import { dayState } from '../contract/choices.ts'
import { getDayGrid } from '../contract/day.ts'
import { useMonthFilter } from './month-address.ts'
import { MonthToolbar } from './month-toolbar.tsx'
import { MonthGrid, MonthTable } from './month-table.tsx'
import { DayReasons } from './reasons.tsx'
import './attendance.css'

type GridRow = NonNullable<typeof getDayGrid.output.T>['rows'][number]
type GridCell = NonNullable<GridRow['days']>[number]

/** One word for a day: the whole of it is in its title. */
const shortTexts: Record<keyof typeof dayState.rows, string> = {
  normal: '✓',
  late: '迟',
  early: '退',
  lateAndEarly: '迟退',
  missing: '缺',
  absent: '旷',
  leave: '假',
  rest: '休',
  trip: '外',
  unscheduled: '未排',
}

function DayCell({
  name,
  cell,
  onOpen,
}: {
  readonly name: string
  readonly cell: GridCell | undefined
  readonly onOpen: (cell: GridCell) => void
}) {
  if (!cell) return <td />
  const { state, minutes, isManual, workDate, shiftName } = cell
  const label = state === undefined ? '未结束' : labelOf(dayState, state)
  const text = `${state === undefined ? '…' : shortTexts[state]}${minutes && !isManual ? minutes : ''}`
  const tone = state === undefined ? '' : (dayState.rows[state][2] ?? '')
  return (
    <td className={`${tone}${isManual ? ' manual' : ''}`}>
      <button
        type="button"
        aria-label={`${text} ${name} ${workDate} ${label}`}
        title={[workDate, shiftName, label, minutes ? `${minutes} 分钟` : '', isManual ? '人工结果' : '']
          .filter(Boolean)
          .join(' · ')}
        onClick={() => onOpen(cell)}
      >
        {text}
      </button>
    </td>
  )
}

const Grid = ({
  rows,
  month,
  onOpen,
}: {
  readonly rows: readonly GridRow[]
  readonly month: Month
  readonly onOpen: (row: GridRow, cell: GridCell) => void
}) => (
  <MonthTable
    rows={rows}
    month={month}
    drawDays={(row, days) => {
      const cells = new Map((row.days ?? []).map(cell => [cell.workDate, cell]))
      return days.map(day => (
        <DayCell key={day} name={row.staffName} cell={cells.get(day)} onOpen={cell => onOpen(row, cell)} />
      ))
    }}
  />
)

/** 考勤台账: the month as people × days; a day opens with its reasons. */
export default function AccountPage() {
  const [filter, change] = useMonthFilter()
  const [opened, setOpened] = useState<{ readonly row: GridRow; readonly cell: GridCell }>()
  const grid = useCall(getDayGrid, filter, { keepPrevious: true, quiet: true })
  return (
    <div className="attendance-page">
      <MonthToolbar label="考勤台账" filter={filter} onChange={change} />
      <MonthGrid
        label="考勤台账"
        query={grid}
        emptyText="暂无符合条件的人员"
        filter={filter}
        onChange={change}
      >
        {rows => <Grid rows={rows} month={filter.month} onOpen={(row, cell) => setOpened({ row, cell })} />}
      </MonthGrid>
      <Drawer
        open={opened !== undefined}
        title={opened && `${opened.row.staffName} ${opened.cell.workDate}`}
        size={420}
        onClose={() => setOpened(undefined)}
      >
        {opened && <DayReasons id={opened.cell.id} />}
      </Drawer>
    </div>
  )
}
