import type { Day } from '#kit/contract/field.ts'
import { weekday } from '#kit/domain/day.ts'
import { importer } from '#kit/server/crud-import.ts'
import { holiday, importHolidays } from '../contract/holiday.ts'

const isMondayToFriday = (day: Day | undefined): boolean => day !== undefined && weekday(day) <= 5

export const holidayImporter = importer(holiday, {
  calls: importHolidays,
  match: ['holidayDate'],
  rules: row =>
    row.dayType === 'work' && isMondayToFriday(row.holidayDate)
      ? [{ column: 'dayType', message: '调休上班应是周六或周日', remedy: '核对日期和类型' }]
      : [],
  describeExisting: ({ holidayDate, holidayName }) => ({
    message: `${holidayDate} 已登记为「${holidayName}」`,
    remedy: '按所选的方式处理',
  }),
  texts: { skipped: '已有，已跳过', unchanged: undefined },
})
