import dayjs from 'dayjs'
import { Days } from '../antd-date-picker.tsx'
import { ariaProps, type ControlProps } from './control-kinds.tsx'

const dateFormats = {
  day: ['date', 'YYYY-MM-DD', 'YYYY-MM-DD'],
  month: ['month', 'YYYY-MM', 'YYYY-MM'],
  moment: ['date', 'YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DD HH:mm'],
} as const

/** Typed or picked; the usual other spellings of a date are accepted. */
export function DateInput(props: ControlProps & { readonly kind: keyof typeof dateFormats }) {
  const [picker, storedFormat, displayFormat] = dateFormats[props.kind]
  const value =
    typeof props.value === 'string' ? dayjs(props.kind === 'month' ? `${props.value}-01` : props.value) : null
  const others = props.kind === 'day' ? ['YYYY/M/D', 'YYYYMMDD', 'YYYY.M.D', 'YYYY-M-D'] : []
  return (
    <Days
      {...ariaProps(props)}
      picker={picker}
      {...(props.kind === 'moment' ? { showTime: { format: 'HH:mm' } } : {})}
      format={[displayFormat, ...others]}
      style={{ width: '100%' }}
      disabled={props.disabled}
      placeholder={props.kind === 'month' ? '选择月份' : props.kind === 'day' ? '选择日期' : '选择时间'}
      value={value}
      onChange={d =>
        props.onChange(d ? (props.kind === 'moment' ? d.second(0) : d).format(storedFormat) : undefined)
      }
      onBlur={props.onBlur}
    />
  )
}
