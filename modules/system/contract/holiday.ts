import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, text, type ValueOf } from '#kit/contract/field.ts'
import { also, byIdsWhy, draftOf, manyOf, nothing, oneOf, pageOf, search } from '#kit/contract/shape.ts'
import { sheetOf } from '#kit/contract/sheet.ts'
import { imports } from '#kit/contract/transfer.ts'
import { menu } from '../module.ts'

export const dayType = choiceTable('HolidayType', '类型', {
  rest: [10, '法定休息', 'done'],
  work: [20, '调休上班', 'todo'],
  own: [30, '公司假', 'doing'],
})

/**
 * A day that is not as its day of the week says (ATT-2); due dates that pass over days off ask it (GEN-10).
 */
export const holiday = entity(
  'holiday',
  '节假日',
  { table: 'holiday', reach: 'company', title: 'holidayDate', order: ['holidayDate'] },
  {
    holidayDate: day('日期', { required: true }),
    holidayName: text('名称', { required: true, max: 40, sought: true, synonyms: ['节日', '节假日'] }),
    dayType: choice('类型', dayType, { required: true, initial: 'rest' }),
  },
)

export type Holiday = Row<typeof holiday>

const { may } = menu.holiday
const affects = ['holiday']

export const listHolidays = call({
  at: 'GET AttendanceHoliday/Get',
  title: '查询节假日',
  needs: may.view,
  input: search(holiday, ['holidayDate', 'dayType']),
  output: pageOf(holiday),
})

/** One day, or each day to `to`. */
export const addHolidays = call({
  at: 'POST AttendanceHoliday/Post',
  title: '新增节假日',
  needs: may.add,
  affects,
  input: also(draftOf(holiday), { to: day('至', { wire: 'HolidayDateEnd', help: '连续几天时填最后一天' }) }),
  output: manyOf(holiday),
})

export const editHoliday = call({
  at: 'PUT AttendanceHoliday/Put',
  title: '编辑节假日',
  needs: may.edit,
  affects,
  input: draftOf(holiday),
  output: oneOf(holiday),
})

export const deleteHolidays = call({
  at: 'DELETE AttendanceHoliday/Delete',
  title: '删除节假日',
  needs: may.del,
  affects,
  input: byIdsWhy,
  output: nothing,
})

const { holidayDate, holidayName, dayType: type } = holiday.fields
const line = { holidayDate, holidayName, dayType: { ...type, initial: undefined } }
export type HolidayLine = ValueOf<typeof line>

export const holidaySheet = sheetOf<HolidayLine>(
  '节假日',
  { fields: line },
  { keys: ['holidayDate', 'holidayName', 'dayType'], unique: ['holidayDate'] },
)

export const importHolidays = imports({
  at: 'POST AttendanceHoliday/PostImport',
  title: '导入节假日',
  needs: may.import,
  affects,
})

export const holidayCalls = [listHolidays, addHolidays, editHoliday, deleteHolidays, ...importHolidays.calls]
