import dayjs from 'dayjs'
import { dayOfPicker } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import type { DaySpan } from './month-address.ts'

/** From one day to another, both included. */
export const SpanBar = ({
  span,
  onChange,
}: {
  readonly span: DaySpan
  readonly onChange: (span: DaySpan) => void
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
  </div>
)
