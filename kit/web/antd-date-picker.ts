import { DatePicker as Days, TimePicker as Times } from 'antd'

export { Days, Times }
export const { RangePicker: DateRangePicker } = Days
export const { RangePicker: TimeRangePicker } = Times
