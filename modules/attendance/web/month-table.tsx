import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import { daysIn, firstDay, type Month } from '#kit/domain/month.ts'

interface GridPerson {
  readonly staffName: string
  readonly staffNo?: string
  readonly departmentName?: string
}

export const daysOfMonth = (month: Month): Day[] =>
  Array.from({ length: daysIn(month) }, (_, i) => addDays(firstDay(month), i))

export const DayHeads = ({ days }: { readonly days: readonly Day[] }) => (
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

export const PersonHead = ({ row }: { readonly row: GridPerson }) => (
  <th scope="row" title={[row.staffName, row.staffNo, row.departmentName].filter(Boolean).join(' · ')}>
    {row.staffName}
    <small>{row.departmentName ?? row.staffNo}</small>
  </th>
)
