import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, decimal, flag, idOf, int, lines, list, lookup, ref, text } from '#kit/contract/field.ts'
import { calendarYears, clockRule } from '#kit/contract/rules.ts'
import { bulkResult, listOfRows, noData, pageOf, recordIdsField, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { groupType, overtimeRule, weekDay } from './choices.ts'
import { departmentNameField, staffFields } from './fields.ts'

const inForm = { hiddenIn: ['table', 'filter', 'sheet', 'detail'] } as const

const weekDayField = choice('星期', weekDay, { required: true, wire: 'WeekDay' })
const shiftIdField = ref('班次', 'attendanceShift', { wire: ['ShiftID', 'ShiftId'], help: '不选为休息' })

/** ATT-2 */
export const attendanceGroup = entity(
  'attendanceGroup',
  '考勤组',
  { table: 'attendance_group', tenancy: 'company', title: 'groupName', order: ['id'] },
  {
    groupName: text('名称', { required: true, max: 40, searchable: true }),
    groupType: choice('类型', groupType, { required: true, initial: 'fixed' }),
    week: lines(
      '周班表',
      { weekDay: weekDayField, shiftId: shiftIdField },
      { max: 7, wire: ['WeekJson', 'Week'], ...inForm },
    ),
    dayCut: text('日切时间', { max: 5, rule: clockRule, help: '自由工时的一天从此时起算', ...inForm }),
    minMinutes: int('最少工时', { min: 1, max: 1440, unit: '分钟', ...inForm }),
    allowsPhone: flag('手机打卡', { required: true, initial: false, hiddenIn: ['filter'] }),
    places: lines(
      '打卡地点',
      {
        name: text('地点', { required: true, max: 40 }),
        longitude: decimal('经度', { required: true, scale: 6, min: -180, max: 180 }),
        latitude: decimal('纬度', { required: true, scale: 6, min: -90, max: 90 }),
        radius: int('范围', { required: true, min: 20, max: 5000, initial: 200, unit: '米' }),
      },
      { max: 20, wire: ['PlacesJson', 'Places'], ...inForm },
    ),
    wifis: lines(
      '打卡 Wi-Fi',
      {
        name: text('名称', { required: true, max: 40 }),
        bssid: text('BSSID', {
          required: true,
          max: 17,
          wire: 'Bssid',
          rule: {
            name: 'bssid',
            test: value =>
              /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? undefined : '应为 AA:BB:CC:DD:EE:FF 形式的地址',
          },
        }),
      },
      { max: 20, wire: ['WifiJson', 'Wifis'], ...inForm },
    ),
    mendLimit: int('每月补卡次数', {
      required: true,
      min: 0,
      max: 31,
      initial: 3,
      hiddenIn: ['filter', 'table'],
    }),
    mendDays: int('补卡期限', {
      required: true,
      min: 0,
      max: 60,
      initial: 7,
      unit: '天',
      hiddenIn: ['filter', 'table'],
    }),
    missingIsAbsent: flag('缺卡过期计旷工半天', {
      required: true,
      initial: false,
      wire: 'MissingAsAbsent',
      hiddenIn: ['filter', 'table'],
    }),
    overtimeRule: choice('休息日加班', overtimeRule, {
      required: true,
      initial: 'approval',
      hiddenIn: ['filter', 'table'],
    }),
    managerIds: { ...list('负责人', { max: 20, wire: 'ManagerIDs', ...inForm }), target: 'staff' },
    memberCount: int('人数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type AttendanceGroup = Row<typeof attendanceGroup>

const { permissions } = menu.group

export const groups = crud(attendanceGroup, {
  path: 'oa/v1/AttendanceGroup',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['groupType'],
  list: { route: 'GET oa/v1/AttendanceGroup/GetPagedList' },
  affects: ['dayRecord', 'attendanceMember'],
})

/** From when to when somebody belongs to a group: to one at a time (ATT-2). */
export const attendanceMember = entity(
  'attendanceMember',
  '考勤组人员',
  {
    table: 'attendance_member',
    tenancy: 'company',
    title: 'staffName',
    order: ['groupId', '-beginDate', 'id'],
  },
  {
    ...staffFields,
    departmentName: departmentNameField,
    groupId: ref('考勤组', 'attendanceGroup', {
      required: true,
      wire: ['GroupID', 'GroupId'],
      hiddenIn: ['table', 'detail', 'sheet'],
    }),
    groupName: lookup('考勤组', 'groupId', 'groupName', { wire: 'GroupName' }),
    beginDate: day('起始日', { required: true, rule: calendarYears }),
    endDate: day('截止日', { rule: calendarYears }),
  },
)

export type AttendanceMember = Row<typeof attendanceMember>

export const listMembers = call({
  route: 'GET AttendanceGroupStaffdetails/GetByGroup',
  title: '查询考勤组人员',
  needs: permissions.view,
  input: search(attendanceMember, ['groupId', 'staffId', 'beginDate'], {
    current: flag('当前有效', { wire: 'Current' }),
  }),
  output: pageOf(attendanceMember),
})

/** Moves people to the group from a day on; until the day before they belong to the previous one. */
export const addMembers = call({
  route: 'POST oa/v1/AttendanceGroup/SaveStaff',
  title: '添加考勤组人员',
  needs: permissions.edit,
  affects: ['attendanceMember', 'attendanceGroup', 'dayRecord'],
  input: shape({
    groupId: idOf('考勤组', { required: true, min: 1, wire: ['GroupID', 'GroupId'] }),
    staffIds: { ...list('员工', { max: 2000, wire: ['StaffIds', 'StaffIDs'] }), target: 'staff' },
    departmentIds: {
      ...list('部门', { max: 200, wire: ['DepartmentIDs', 'DepartmentIds'], help: '含下级部门的在职员工' }),
      target: 'department',
    },
    beginDate: day('起始日', { required: true, rule: calendarYears }),
  }),
  output: bulkResult,
})

export const endMembers = call({
  route: 'POST oa/v1/AttendanceGroup/RemoveStaff',
  title: '移出考勤组',
  needs: permissions.edit,
  affects: ['attendanceMember', 'attendanceGroup', 'dayRecord'],
  input: shape({
    ids: recordIdsField,
    endDate: day('截止日', { required: true, rule: calendarYears, help: '最后一天' }),
  }),
  output: noData,
})

export const listGroupTimes = call({
  route: 'GET AttendanceGroupTimedetails/Get',
  title: '查询考勤组时间',
  needs: permissions.view,
  input: shape({ groupId: idOf('考勤组', { required: true, min: 1, wire: ['GroupID', 'GroupId'] }) }),
  output: listOfRows(
    {
      groupId: idOf('考勤组', { required: true, wire: 'GroupID' }),
      weekDay: weekDayField,
      shiftId: idOf('班次', { required: true, wire: 'ShiftID' }),
      shiftName: text('班次名称'),
    },
    { entity: 'attendanceGroup' },
  ),
})
