import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { ariaProps, type ControlProps } from './control-kinds.tsx'

const dateFormats = {
  day: ['date', 'YYYY-MM-DD', 'YYYY-MM-DD'],
  month: ['month', 'YYYY-MM', 'YYYY-MM'],
  moment: ['date', 'YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DD HH:mm'],
} as const

/** Typed or picked; the usual other spellings of a date are accepted. */
export function DateInput(p: ControlProps & { readonly kind: keyof typeof dateFormats }) {
  const [picker, storedFormat, displayFormat] = dateFormats[p.kind]
  const v = typeof p.value === 'string' ? dayjs(p.kind === 'month' ? `${p.value}-01` : p.value) : null
  const others = p.kind === 'day' ? ['YYYY/M/D', 'YYYYMMDD', 'YYYY.M.D', 'YYYY-M-D'] : []
  return (
    <DatePicker
      {...ariaProps(p)}
      picker={picker}
      {...(p.kind === 'moment' ? { showTime: { format: 'HH:mm' } } : {})}
      format={[displayFormat, ...others]}
      style={{ width: '100%' }}
      disabled={p.disabled}
      placeholder={p.kind === 'month' ? '选择月份' : p.kind === 'day' ? '选择日期' : '选择时间'}
      value={v}
      onChange={d => p.onChange(d ? (p.kind === 'moment' ? d.second(0) : d).format(storedFormat) : undefined)}
      onBlur={p.onBlur}
    />
  )
}
