import { Input, type DatePickerProps } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ComponentProps, ComponentType } from 'react'
import { lazyComponent } from './lazy-component.tsx'

type Calendars = typeof import('./antd-date-picker.ts')

type PropsOf<K extends keyof Calendars> = K extends 'Days'
  ? DatePickerProps<Dayjs, false>
  : ComponentProps<Calendars[K]>

const lazyCalendar = <K extends keyof Calendars>(name: K) =>
  lazyComponent<PropsOf<K> & object>(
    () => import('./antd-date-picker.ts').then(m => m[name] as unknown as ComponentType<PropsOf<K> & object>),
    <Input disabled aria-label="正在加载" style={{ width: 140 }} />,
  )

/** The library's own, fetched when first drawn: 35 kB that the first list does not load. */
export const DatePicker = Object.assign(lazyCalendar('Days'), {
  RangePicker: lazyCalendar('DateRangePicker'),
})
export const TimePicker = { RangePicker: lazyCalendar('TimeRangePicker') }
