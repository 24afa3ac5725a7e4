import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { readText } from '#kit/web/controls/read-value.ts'
import { monthOfPicker, today } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { SearchInput } from '#kit/web/search-input.tsx'
import { getDayGrid } from '../contract/day.ts'

export interface MonthFilter {
  readonly month: Month
  readonly groupId?: Id | undefined
  readonly departmentId?: Id | undefined
  readonly keyword?: string | undefined
  readonly page: number
  readonly size: number
}

export const firstFilter = (): MonthFilter => ({ month: monthOf(today()), page: 1, size: 50 })

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

const idOfText = (value: unknown): Id | undefined => {
  const id = parseId(readText(value))
  return id === 0 ? undefined : id
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
        value={filter.groupId === undefined ? undefined : String(filter.groupId)}
        onChange={value => onChange({ groupId: idOfText(value), page: 1 })}
        placeholder="考勤组"
      />
      <RefSelect
        field={defined(departmentId)}
        named
        inBar
        value={filter.departmentId === undefined ? undefined : String(filter.departmentId)}
        onChange={value => onChange({ departmentId: idOfText(value), page: 1 })}
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
