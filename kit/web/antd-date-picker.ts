import { DatePicker as Days, TimePicker as Times } from 'antd'
// Names of months and days of the week; without it a calendar speaks English.
import 'dayjs/locale/zh-cn'

export { Days, Times }
export const { RangePicker: DateRangePicker } = Days
export const { RangePicker: TimeRangePicker } = Times
