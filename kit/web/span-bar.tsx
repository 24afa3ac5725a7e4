import dayjs from 'dayjs'
import { dayOfPicker } from './date-format.ts'
import { DatePicker } from './date-picker.tsx'
import type { ReactNode } from 'react'
import type { DaySpan } from './address-span.ts'

/** From one day to another, both included; what else is chosen is beside it. */
export const SpanBar = ({
  span,
  onChange,
  children,
}: {
  readonly span: DaySpan
  readonly onChange: (span: DaySpan) => void
  readonly children?: ReactNode
}) => (
  <div className="toolbar">
    <DatePicker.RangePicker
      allowClear={false}
      aria-label="日期"
      value={[dayjs(span.from), dayjs(span.to)]}
      onChange={dates => {
        if (dates?.[0] && dates[1]) {
          onChange({ from: dayOfPicker(dates[0]), to: dayOfPicker(dates[1]) })
        }
      }}
    />
    {children}
  </div>
)
