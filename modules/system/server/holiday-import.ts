import type { Day } from '#kit/contract/field.ts'
import { weekday } from '#kit/domain/day.ts'
import { importer } from '#kit/server/crud-import.ts'
import { holiday, importHolidays } from '../contract/holiday.ts'
import { findSettledDays, publishHolidaysChanged } from './holiday-changes.ts'

const isMondayToFriday = (day: Day | undefined): boolean => day !== undefined && weekday(day) <= 5

export const holidayImporter = importer(holiday, {
  calls: importHolidays,
  match: ['holidayDate'],
  load: async (db, { scope }, _lock, lines) => ({
    settled: await findSettledDays(
      db,
      scope,
      lines.flatMap(({ row }) => (row.holidayDate ? [row.holidayDate] : [])),
    ),
  }),
  rules: (row, existing, { data, request }) => {
    const settled = row.holidayDate && data.settled.get(row.holidayDate)
    return [
      ...(row.dayType === 'work' && isMondayToFriday(row.holidayDate)
        ? [{ column: 'dayType', message: '调休上班应是周六或周日', remedy: '核对日期和类型' }]
        : []),
      ...(settled && !(existing && request.mode === 'skip')
        ? [{ column: 'holidayDate', message: settled, remedy: '按提示处理后再导入' }]
        : []),
    ]
  },
  afterWrite: (tx, { added, existing }, { request }) =>
    publishHolidaysChanged(
      tx,
      request.scope,
      [...added, ...existing.filter(({ changed }) => changed)].flatMap(({ lines }) =>
        lines.flatMap(({ row }) => (row.holidayDate ? [row.holidayDate] : [])),
      ),
    ),
  describeExisting: ({ holidayDate, holidayName }) => ({
    message: `${holidayDate} 已登记为「${holidayName}」`,
    remedy: '按所选的方式处理',
  }),
  texts: { skipped: '已有，已跳过', unchanged: undefined },
})
