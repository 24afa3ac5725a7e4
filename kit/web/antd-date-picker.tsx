import { DatePicker, TimePicker, type DatePickerProps } from 'antd'
import type { Dayjs } from 'dayjs'
import { useMemo, type ComponentProps } from 'react'
// Names of months and days of the week; without it a calendar speaks English.
import 'dayjs/locale/zh-cn'

type Chosen = Dayjs | null | undefined
type ChosenSpan = readonly [Chosen, Chosen] | null | undefined

// The library takes a new object for a new choice and drops what is being typed or picked: a screen that is
// drawn again, because its rows arrive, must give it the same objects for the same dates.

function useSameDate<T extends Chosen>(date: T): T {
  return useMemo(() => date, [date === null, date?.valueOf()])
}

function useSameSpan<T extends ChosenSpan>(span: T): T {
  return useMemo(() => span, [span === null, span?.[0]?.valueOf(), span?.[1]?.valueOf()])
}

export function Days(props: DatePickerProps<Dayjs, false>) {
  const value = useSameDate(props.value)
  return <DatePicker {...props} {...(value === undefined ? {} : { value })} />
}

export function DateRangePicker(props: ComponentProps<typeof DatePicker.RangePicker>) {
  const value = useSameSpan(props.value)
  return <DatePicker.RangePicker {...props} {...(value === undefined ? {} : { value })} />
}

export function TimeRangePicker(props: ComponentProps<typeof TimePicker.RangePicker>) {
  const value = useSameSpan(props.value)
  return <TimePicker.RangePicker {...props} {...(value === undefined ? {} : { value })} />
}
