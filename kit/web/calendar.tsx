import { Input, type DatePickerProps } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ComponentProps, ComponentType } from 'react'
import { later } from './later.tsx'

type Calendars = typeof import('./calendars.ts')

type PropsOf<K extends keyof Calendars> = K extends 'Days'
  ? DatePickerProps<Dayjs, false>
  : ComponentProps<Calendars[K]>

const calendar = <K extends keyof Calendars>(which: K) =>
  later<PropsOf<K> & object>(
    () => import('./calendars.ts').then(m => m[which] as unknown as ComponentType<PropsOf<K> & object>),
    <Input disabled aria-label="正在加载" style={{ width: 140 }} />,
  )

/** The library's own, fetched when first drawn: 35 kB that a first list does not wait for. */
export const DatePicker = Object.assign(calendar('Days'), { RangePicker: calendar('DaySpan') })
export const TimePicker = { RangePicker: calendar('TimeSpan') }
