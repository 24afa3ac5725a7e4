import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, int, lines, text } from '#kit/contract/field.ts'
import { shape, singleValue } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { clockRule } from '#kit/contract/rules.ts'

const timeFields = {
  in: text('起', { required: true, max: 5, rule: clockRule, wire: 'in' }),
  inNext: flag('起于次日', { wire: 'inNext' }),
  out: text('止', { required: true, max: 5, rule: clockRule, wire: 'out' }),
  outNext: flag('止于次日', { wire: 'outNext' }),
}

const minutes = (label: string, max: number, initial: number, help: string) =>
  int(label, { required: true, min: 0, max, initial, unit: '分钟', help, hiddenIn: ['filter', 'table'] })

/** ATT-1 */
export const attendanceShift = entity(
  'attendanceShift',
  '班次',
  { table: 'attendance_shift', tenancy: 'company', title: 'shiftName', order: ['id'] },
  {
    shiftName: text('名称', { required: true, max: 40, searchable: true }),
    segments: lines('上班时段', timeFields, {
      required: true,
      min: 1,
      max: 3,
      wire: ['SegmentsJson', 'Segments'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    rests: lines('休息时段', timeFields, {
      max: 3,
      wire: ['RestJson', 'Rests'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    times: text('时间', { derived: true, hiddenIn: ['form', 'filter'] }),
    lateGrace: minutes('迟到宽限', 240, 5, '超过上班时间这些分钟以内仍为正常'),
    severeLate: minutes('严重迟到', 600, 30, '迟到超过此数为严重迟到'),
    absentLate: minutes('旷工迟到', 720, 120, '迟到超过此数计旷工半天'),
    earlyGrace: minutes('早退宽限', 240, 0, '提前这些分钟以内仍为正常'),
    absentEarly: minutes('旷工早退', 720, 120, '早退超过此数计旷工半天'),
    flexMinutes: minutes('弹性', 240, 0, '晚到不超过此数不算迟到，下班顺延'),
    earliestIn: minutes('最早打卡', 720, 120, '上班前多久起可以打卡'),
    latestOut: minutes('最晚打卡', 720, 360, '下班后多久内可以打卡'),
    mustIn: flag('上班须打卡', { required: true, initial: true, hiddenIn: ['filter', 'table'] }),
    mustOut: flag('下班须打卡', { required: true, initial: true, hiddenIn: ['filter', 'table'] }),
    workMinutes: int('标准工时', { required: true, unit: '分钟', hiddenIn: ['form', 'filter'] }),
  },
)

export type AttendanceShift = Row<typeof attendanceShift>

export const shifts = crud(attendanceShift, {
  path: 'oa/v1/AttendanceShift',
  permissions: menu.shift.permissions,
  operations: ['list', 'save', 'delete'],
  filters: [],
  without: ['workMinutes'],
  list: { route: 'GET oa/v1/AttendanceShift/GetPagedList' },
})

export const getWorkDuration = call({
  route: 'GET oa/v1/AttendanceShift/WorkDuration',
  title: '计算标准工时',
  needs: menu.shift.permissions.view,
  input: shape({ segments: attendanceShift.fields.segments, rests: attendanceShift.fields.rests }),
  output: singleValue(int('标准工时', { required: true })),
})
