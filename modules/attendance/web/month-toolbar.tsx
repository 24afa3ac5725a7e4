import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { defined } from '#kit/domain/defined.ts'
import type { Month } from '#kit/domain/month.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { readText } from '#kit/web/controls/read-value.ts'
import { monthOfPicker } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { SearchInput } from '#kit/web/search-input.tsx'
import { getDayGrid } from '../contract/day.ts'
import type { MonthFilter } from './month-address.ts'

export const MonthSelect = ({
  month,
  onChange,
}: {
  readonly month: Month
  readonly onChange: (month: Month) => void
}) => (
  <DatePicker
    picker="month"
    allowClear={false}
    aria-label="月份"
    value={dayjs(`${month}-01`)}
    onChange={date => {
      if (date) {
        onChange(monthOfPicker(date))
      }
    }}
  />
)

const listOfText = (value: unknown): readonly string[] | undefined => {
  const id = readText(value)
  return id ? [id] : undefined
}

/** The month and the people of a grid, with what can be done with it. */
export function MonthToolbar({
  label,
  filter,
  onChange,
  children,
}: {
  readonly label: string
  readonly filter: MonthFilter
  readonly onChange: (change: Partial<MonthFilter>) => void
  readonly children?: ReactNode
}) {
  const { groupId, departmentId } = getDayGrid.input.fields
  return (
    <div className="toolbar" role="toolbar" aria-label={label}>
      <MonthSelect month={filter.month} onChange={month => onChange({ month, page: 1 })} />
      <RefSelect
        field={defined(groupId)}
        named
        inBar
        value={filter.groupId?.[0]}
        onChange={value => onChange({ groupId: listOfText(value), page: 1 })}
        placeholder="考勤组"
      />
      <RefSelect
        field={defined(departmentId)}
        named
        inBar
        value={filter.departmentId?.[0]}
        onChange={value => onChange({ departmentId: listOfText(value), page: 1 })}
        placeholder="部门"
      />
      <SearchInput
        value={filter.keyword ?? ''}
        placeholder="姓名、工号"
        style={{ width: 160 }}
        onChange={e => onChange({ keyword: e.target.value || undefined, page: 1 })}
      />
      <span className="spring" />
      {children}
    </div>
  )
}
