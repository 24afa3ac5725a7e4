import { call } from '#kit/contract/call.ts'
import { crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, text } from '#kit/contract/field.ts'
import {
  extendShape,
  byIdsWithReason,
  draftOf,
  listOf,
  noData,
  recordOf,
  pageOf,
  search,
} from '#kit/contract/shape.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { menu } from '../module.ts'

export const holidayType = choiceTable('HolidayType', '类型', {
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
  { table: 'holiday', tenancy: 'company', title: 'holidayDate', order: ['holidayDate'] },
  {
    holidayDate: day('日期', { required: true, rule: calendarYears }),
    holidayName: text('名称', { required: true, max: 40, searchable: true, synonyms: ['节日', '节假日'] }),
    dayType: choice('类型', holidayType, { required: true, initial: 'rest' }),
  },
)

export type Holiday = Row<typeof holiday>

const { permissions } = menu.holiday
const affectedEntities = ['holiday']

export const listHolidays = call({
  route: 'GET AttendanceHoliday/Get',
  aliases: ['oa/v1/AttendanceHoliday/Get'],
  title: '查询节假日',
  needs: permissions.view,
  input: search(holiday, ['holidayDate', 'dayType']),
  output: pageOf(holiday),
})

/** One day, or each day to `to`. */
export const addHolidays = call({
  route: 'POST AttendanceHoliday/Post',
  title: '新增节假日',
  needs: permissions.add,
  affects: affectedEntities,
  input: extendShape(draftOf(holiday), {
    to: day('至', { rule: calendarYears, wire: 'HolidayDateEnd', help: '连续几天时填最后一天' }),
  }),
  output: listOf(holiday),
})

export const editHoliday = call({
  route: 'PUT AttendanceHoliday/Put',
  title: '编辑节假日',
  needs: permissions.edit,
  affects: affectedEntities,
  input: draftOf(holiday),
  output: recordOf(holiday),
})

export const deleteHolidays = call({
  route: 'DELETE AttendanceHoliday/Delete',
  title: '删除节假日',
  needs: permissions.del,
  affects: affectedEntities,
  input: byIdsWithReason,
  output: noData,
})

export const importHolidays = crudImport(
  { entity: holiday, path: 'AttendanceHoliday' },
  {
    needs: permissions.import,
    fields: { dayType: choice('类型', holidayType, { required: true }) },
    columns: ['holidayDate', 'holidayName', 'dayType'],
    unique: ['holidayDate'],
  },
)
