import { Input, type DatePickerProps, type InputProps } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ComponentProps, ComponentType } from 'react'
import { lazyComponent } from './lazy-component.tsx'

type Calendars = typeof import('./antd-date-picker.tsx')

type PropsOf<K extends keyof Calendars> = K extends 'Days'
  ? DatePickerProps<Dayjs, false>
  : ComponentProps<Calendars[K]>

/** A placeholder of the final size, so that nothing moves when the picker is drawn. */
const createPlaceholder =
  (width: number) =>
  ({ size, className, style }: Pick<InputProps, 'size' | 'className' | 'style'>) => (
    <Input disabled aria-label="正在加载" size={size} className={className} style={{ width, ...style }} />
  )

const lazyCalendar = <K extends keyof Calendars>(name: K, width: number) =>
  lazyComponent<PropsOf<K> & object>(
    () =>
      import('./antd-date-picker.tsx').then(m => m[name] as unknown as ComponentType<PropsOf<K> & object>),
    createPlaceholder(width),
  )

/** The library's own, fetched when first drawn: 35 kB that the first list does not load. */
export const DatePicker = Object.assign(lazyCalendar('Days', 140), {
  RangePicker: lazyCalendar('DateRangePicker', 240),
})
export const TimePicker = { RangePicker: lazyCalendar('TimeRangePicker', 240) }
