import { Button, Select } from 'antd'
import type { ReactNode } from 'react'
import { addDays } from '#kit/domain/day.ts'
import { keysOf, labelOf, type Choices } from '#kit/contract/field.ts'
import { useAddressSpan, type DaySpan } from '#kit/web/address-span.ts'
import type { Column } from '#kit/web/columns.tsx'
import { today } from '#kit/web/date-format.ts'
import { shownProjectCode, useSession } from '#kit/web/session.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { DataTable, type TotalLine } from '#kit/web/table/data-table.tsx'
import { totalKey } from '../contract/statistics.ts'
import './messaging.css'

/** The span of statistics in the address; the last thirty days to begin with. */
export const useStatisticSpan = (): readonly [DaySpan, (span: DaySpan) => void] =>
  useAddressSpan({ from: addDays(today(), -29), to: today() })

interface StatisticsProps<K extends string> {
  readonly span: DaySpan
  readonly onSpanChange: (span: DaySpan) => void
  readonly groupings: Choices<K>
  readonly grouping: K
  readonly onGroupingChange: (grouping: K) => void
  /** None where the caller may not export. */
  readonly onExport: (() => void) | undefined
  readonly children: ReactNode
}

/** Which project the figures are of, as the lists beside them are. */
function useProjectText(): string {
  const code = useSession(shownProjectCode)
  const name = useSession(session => session.project?.name)
  return code ? `项目：${name ?? code}；未归属项目的只计入「全部项目」` : '项目：全部项目，含未归属项目的'
}

/** What statistics are of, by what they are split, and the figures below. */
export const Statistics = <K extends string>(props: StatisticsProps<K>) => (
  <div className="message-statistics">
    <SpanBar span={props.span} onChange={props.onSpanChange}>
      <Select
        aria-label="统计方式"
        style={{ width: 120 }}
        value={props.grouping}
        options={keysOf(props.groupings).map(value => ({ value, label: labelOf(props.groupings, value) }))}
        onChange={props.onGroupingChange}
      />
      {props.onExport && <Button onClick={props.onExport}>导出</Button>}
    </SpanBar>
    <p className="statistics-project">{useProjectText()}</p>
    {props.children}
  </div>
)

interface Keyed {
  readonly key: string
}

const totalLineOf = <T extends Keyed>(row: T, columns: readonly Column<T>[]): TotalLine => ({
  label: '合计',
  cells: Object.fromEntries(
    columns.filter(({ key }) => key !== 'label').map(column => [column.key, column.text(row)]),
  ),
})

export const StatisticLines = <T extends Keyed>({
  rows,
  columns,
  label,
}: {
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly label: string
}) => (
  <div style={{ height: Math.min(rows.length + 1, 16) * 40 + 12 }}>
    <DataTable
      rows={rows.filter(({ key }) => key !== totalKey)}
      columns={columns}
      keyOf={row => row.key}
      label={label}
      totals={rows.filter(({ key }) => key === totalKey).map(row => totalLineOf(row, columns))}
    />
  </div>
)
