import dayjs from 'dayjs'
import { DateRangePicker } from '../antd-date-picker.tsx'
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
  const isMonth = field.kind === 'month'
  const isMoment = field.kind === 'moment'
  const parse = (v: unknown): dayjs.Dayjs | null =>
    typeof v === 'string' ? dayjs(isMonth ? `${v}-01` : v.slice(0, 10)) : null
  const format = (d: dayjs.Dayjs | null | undefined): string | undefined =>
    d ? d.format(isMonth ? 'YYYY-MM' : isMoment ? 'YYYY-MM-DD 00:00:00' : 'YYYY-MM-DD') : undefined
  return (
    <DateRangePicker
      {...(isMonth ? { picker: 'month' as const } : {})}
      allowEmpty={[true, true]}
      style={{ width: inBar ? 240 : '100%' }}
      aria-label={field.label}
      placeholder={inBar ? [`${field.label}起`, '止'] : ['起', '止']}
      value={[parse(value[from]), parse(value[to])]}
      onChange={v => onChange({ [from]: format(v?.[0]), [to]: format(v?.[1]) })}
      {...(isMonth
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
