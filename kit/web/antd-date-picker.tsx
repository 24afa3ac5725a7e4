import { DatePicker, TimePicker, type DatePickerProps } from 'antd'
import type { Dayjs } from 'dayjs'
import { useMemo, type ComponentProps } from 'react'
// Names of months and days of the week; without it a calendar speaks English.
import 'dayjs/locale/zh-cn'

/**
 * The library takes a new object for a new choice and drops what is being typed or picked: a screen that is
 * drawn again, because its rows arrive, must give it the same objects for the same dates.
 */
function useSameDates<P extends { readonly value?: unknown }>(props: P): P {
  const value = useMemo(() => props.value, [JSON.stringify(props.value)])
  return value === undefined ? props : { ...props, value }
}

export const Days = (props: DatePickerProps<Dayjs, false>) => <DatePicker {...useSameDates(props)} />

export const DateRangePicker = (props: ComponentProps<typeof DatePicker.RangePicker>) => (
  <DatePicker.RangePicker {...useSameDates(props)} />
)

export const TimeRangePicker = (props: ComponentProps<typeof TimePicker.RangePicker>) => (
  <TimePicker.RangePicker {...useSameDates(props)} />
)
