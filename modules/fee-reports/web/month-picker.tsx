import type { Month } from '#kit/domain/month.ts'
import { monthOfPicker } from '#kit/web/date-format.ts'
import dayjs from 'dayjs'
import { DatePicker } from '#kit/web/date-picker.tsx'

interface Props {
  readonly value: string | undefined
  readonly max: string
  readonly onPick: (month: Month) => void
}

/** A month by choice; the calendar and its dates are fetched when it is drawn. */
export function MonthPicker({ value, max, onPick }: Props) {
  return (
    <DatePicker
      size="small"
      picker="month"
      aria-label="选择月份"
      placeholder="选择月份"
      style={{ width: 110 }}
      value={value ? dayjs(value) : null}
      maxDate={dayjs(max)}
      onChange={d => d && onPick(monthOfPicker(d))}
    />
  )
}
