import { DatePicker as Days, TimePicker as Times } from 'antd'

export { Days, Times }
export const { RangePicker: DaySpan } = Days
export const { RangePicker: TimeSpan } = Times
