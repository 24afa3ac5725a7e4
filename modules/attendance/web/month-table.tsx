import type { ReactNode } from 'react'
import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { daysIn, firstDay, type Month } from '#kit/domain/month.ts'
import { ErrorState, RowSkeleton, StateMessage } from '#kit/web/list/list-feedback.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import type { MonthFilter } from './month-address.ts'

interface GridPerson {
  readonly staffId: Id
  readonly staffName: string
  readonly staffNo?: string
  readonly departmentName?: string
}

const daysOfMonth = (month: Month): Day[] =>
  Array.from({ length: daysIn(month) }, (_, i) => addDays(firstDay(month), i))

const DayHeads = ({ days }: { readonly days: readonly Day[] }) => (
  <tr>
    <th scope="col">姓名</th>
    {days.map(day => (
      <th key={day} scope="col" className={weekday(day) > 5 ? 'off' : undefined}>
        {Number(day.slice(8))}
        <br />
        {'一二三四五六日'[weekday(day) - 1]}
      </th>
    ))}
  </tr>
)

const PersonHead = ({ row }: { readonly row: GridPerson }) => (
  <th scope="row" title={[row.staffName, row.staffNo, row.departmentName].filter(Boolean).join(' · ')}>
    {row.staffName}
    <small>{row.departmentName ?? row.staffNo}</small>
  </th>
)

/** People × days of one month; `drawDays` gives the cells of a person, one for each day. */
export function MonthTable<R extends GridPerson>({
  rows,
  month,
  drawDays,
}: {
  readonly rows: readonly R[]
  readonly month: Month
  readonly drawDays: (row: R, days: readonly Day[]) => ReactNode
}) {
  const days = daysOfMonth(month)
  return (
    <table>
      <thead>
        <DayHeads days={days} />
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.staffId}>
            <PersonHead row={row} />
            {drawDays(row, days)}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface GridQuery<R> {
  readonly isPending: boolean
  readonly error: Error | null
  readonly data: { readonly rows: readonly R[]; readonly total: number } | undefined
  readonly refetch: () => Promise<unknown>
}

/** The grid below its toolbar: what its query answers, or its state, and the pages. */
export function MonthGrid<R>({
  label,
  query,
  emptyText,
  filter,
  onChange,
  children,
}: {
  readonly label: string
  readonly query: GridQuery<R>
  readonly emptyText: string
  readonly filter: MonthFilter
  readonly onChange: (changed: Partial<MonthFilter>) => void
  readonly children: (rows: readonly R[]) => ReactNode
}) {
  const draw = (): ReactNode => {
    if (query.isPending) return <RowSkeleton rows={12} />
    if (!query.data || query.error)
      return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    if (!query.data.rows.length) return <StateMessage text={emptyText} actions={[]} />
    return children(query.data.rows)
  }
  return (
    <>
      <ScrollRegion className="attendance-grid" label={label}>
        {draw()}
      </ScrollRegion>
      <Paginator
        total={query.data?.total ?? 0}
        page={filter.page}
        size={filter.size}
        sizes={[20, 50, 100, 200, 500]}
        onChange={(page, size) => onChange({ page, size })}
      />
    </>
  )
}
