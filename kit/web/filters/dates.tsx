import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { FilterProps } from './filter-kinds.tsx'

const today = (): dayjs.Dayjs => dayjs().startOf('day')

/** Report shortcuts of 2§2: a week is 7 days, a month 30, three months 90, today among them. */
const shortcuts = [
  ['近一周', 7],
  ['近一个月', 30],
  ['近三个月', 90],
] as const

export function DateFilter({ field, name, value, onChange, inBar }: FilterProps) {
  const from = `${name}From`
  const to = `${name}To`
  const month = field.kind === 'month'
  const moment = field.kind === 'moment'
  const read = (v: unknown): dayjs.Dayjs | null =>
    typeof v === 'string' ? dayjs(month ? `${v}-01` : v.slice(0, 10)) : null
  const write = (d: dayjs.Dayjs | null | undefined): string | undefined =>
    d ? d.format(month ? 'YYYY-MM' : moment ? 'YYYY-MM-DD 00:00:00' : 'YYYY-MM-DD') : undefined
  return (
    <DatePicker.RangePicker
      {...(month ? { picker: 'month' as const } : {})}
      allowEmpty={[true, true]}
      style={{ width: inBar ? 240 : '100%' }}
      aria-label={field.label}
      placeholder={inBar ? [`${field.label}起`, '止'] : ['起', '止']}
      value={[read(value[from]), read(value[to])]}
      onChange={v => onChange({ [from]: write(v?.[0]), [to]: write(v?.[1]) })}
      {...(month
        ? {}
        : {
            presets: shortcuts.map(([label, n]) => ({
              label,
              value: () => [today().subtract(n - 1, 'day'), today()] as [dayjs.Dayjs, dayjs.Dayjs],
            })),
          })}
    />
  )
}
