import { addDays } from '#kit/domain/day.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { useAddressSpan } from '#kit/web/address-span.ts'
import { today } from '#kit/web/date-format.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { dayState } from '../contract/choices.ts'
import { getDayStatistics } from '../contract/month.ts'
import './attendance.css'

type Row = NonNullable<typeof getDayStatistics.output.T>[number]

const countOf = (row: Row, state: string): number =>
  row.states.find(counted => counted.state === state)?.count ?? 0

const shownStates = [
  'normal',
  'late',
  'early',
  'lateAndEarly',
  'missing',
  'absent',
  'leave',
  'trip',
  'rest',
  'unscheduled',
] as const

const columns = buildColumns(getDayStatistics.output, [
  { key: 'departmentName', identity: true, width: 140, grow: 1 },
  'people',
  'dueDays',
  'presentDays',
  'rate',
  ...shownStates.map(state => ({
    key: state,
    title: labelOf(dayState, state),
    width: 90,
    align: 'right' as const,
    render: (row: Row) => countOf(row, state),
    text: (row: Row) => String(countOf(row, state)),
  })),
]).map(withoutSorting)

/** 考勤统计: how days stand, for all and by department. */
export default function StatisticsPage() {
  const yesterday = addDays(today(), -1)
  const [span, setSpan] = useAddressSpan({ from: yesterday, to: yesterday })
  const rows = useCall(getDayStatistics, span, { quiet: true, keepPrevious: true })
  return (
    <div className="attendance-page">
      <SpanBar span={span} onChange={setSpan} />
      <div className="attendance-statistics">
        <Loaded query={rows} height={320} rows={6} keepsAnswer>
          {answer =>
            answer.length ? (
              <>
                <div className="attendance-states">
                  {shownStates.map(state => (
                    <span key={state}>
                      <ChoiceStatus choices={dayState} value={state} />{' '}
                      <b>{answer.reduce((sum, row) => sum + countOf(row, state), 0)}</b>
                    </span>
                  ))}
                </div>
                <div style={{ height: (answer.length + 1) * 40 + 12 }}>
                  <DataTable
                    rows={answer}
                    columns={columns}
                    keyOf={row => row.departmentId ?? 0}
                    label="考勤统计"
                  />
                </div>
              </>
            ) : (
              <Empty text="该期间暂无考勤记录" />
            )
          }
        </Loaded>
      </div>
    </div>
  )
}
