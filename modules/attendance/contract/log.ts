import { call, everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  file,
  flag,
  int,
  lines,
  lookup,
  moment,
  month,
  ref,
  text,
} from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { bulkResult, recordOf, shape } from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { dayState, punchSource } from './choices.ts'
import { departmentNameField, departmentSearch, staffFields } from './fields.ts'

/** Where punches come from at a door. */
export const attendanceDevice = entity(
  'attendanceDevice',
  '考勤设备',
  { table: 'attendance_device', tenancy: 'company', title: 'deviceName', order: ['id'] },
  {
    deviceName: text('名称', { required: true, max: 40, searchable: true }),
    deviceNo: text('设备编号', { required: true, max: 40, searchable: true, help: '考勤机上传打卡时的编号' }),
    place: text('安装位置', { max: 60 }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    lastPunchTime: moment('最近打卡', { derived: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type AttendanceDevice = Row<typeof attendanceDevice>

export const devices = crud(attendanceDevice, {
  path: 'oa/v1/AttendanceDevice',
  permissions: menu.device.permissions,
  operations: ['list', 'save', 'delete'],
  filters: ['state'],
  list: { route: 'GET oa/v1/AttendanceDevice/GetPagedList' },
})

/** ATT-3: written once; nothing changes or removes a punch. */
export const attendanceLog = entity(
  'attendanceLog',
  '打卡记录',
  { table: 'attendance_log', tenancy: 'company', title: 'punchTime', order: ['-punchTime', '-id'] },
  {
    ...staffFields,
    departmentName: departmentNameField,
    punchTime: moment('打卡时间', { required: true }),
    source: choice('来源', punchSource, { required: true }),
    deviceId: ref('设备', 'attendanceDevice', {
      wire: ['DeviceID', 'DeviceId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    deviceName: lookup('设备', 'deviceId', 'deviceName', { wire: 'DeviceName' }),
    place: text('地点', { max: 100 }),
    photo: file('照片', { wire: 'PhotoUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    matchedDate: day('归属日期', { hiddenIn: ['form'] }),
    remark: text('说明', { max: 60, hiddenIn: ['filter'] }),
  },
)

export type AttendanceLog = Row<typeof attendanceLog>

const { permissions } = menu.log

export const logs = crud(attendanceLog, {
  path: 'oa/v1/AttendanceLog',
  permissions,
  operations: ['list'],
  filters: ['punchTime', 'source', 'staffId', 'deviceId', 'matchedDate'],
  search: departmentSearch,
  list: { route: 'GET oa/v1/AttendanceLog/GetPagedList' },
})

export const exportLogs = crudExport(logs, {
  needs: permissions.export,
  route: 'GET oa/v1/AttendanceLog/Export',
  columns: ['staffNo', 'staffName', 'punchTime', 'source', 'deviceName', 'place', 'matchedDate', 'remark'],
})

export const importLogs = crudImport(
  { entity: attendanceLog, path: 'oa/v1/AttendanceLog' },
  {
    needs: permissions.import,
    route: 'POST oa/v1/AttendanceLog/Import',
    label: '打卡记录',
    fields: {
      staffNo: text('工号', { required: true, max: 20 }),
      punchTime: moment('打卡时间', { required: true, synonyms: ['时间', '刷卡时间'] }),
      place: text('地点', { max: 100 }),
      remark: text('说明', { max: 60 }),
    },
    unique: ['staffNo', 'punchTime'],
    affects: ['attendanceLog', 'dayRecord'],
  },
)

/** What a device reports: people by their numbers. What is known already is skipped. */
export const postPunches = call({
  route: 'POST oa/v1/AttendanceLog/Post',
  title: '上传打卡',
  needs: permissions.add,
  affects: ['attendanceLog', 'dayRecord'],
  input: shape({
    deviceNo: text('设备编号', { required: true, max: 40, wire: 'DeviceNo' }),
    punches: lines(
      '打卡',
      {
        staffNo: text('工号', { required: true, max: 20, wire: 'StaffNo' }),
        punchTime: moment('打卡时间', { required: true }),
      },
      { required: true, min: 1, max: 2000, wire: 'Punches' },
    ),
  }),
  output: bulkResult,
})

const positionFields = {
  longitude: decimal('经度', { scale: 6, min: -180, max: 180 }),
  latitude: decimal('纬度', { scale: 6, min: -90, max: 90 }),
  bssid: text('Wi-Fi', { max: 17, wire: 'Bssid' }),
}

/** The caller's own punch, at a place or in a network of the group. */
export const punchByPhone = call({
  route: 'POST oa/v1/AttendanceLog/Punch',
  title: '手机打卡',
  needs: everyone,
  affects: ['attendanceLog', 'dayRecord'],
  perMinute: 10,
  input: shape(positionFields),
  output: recordOf(attendanceLog),
})

export const getMyAttendance = call({
  route: 'GET oa/v1/AttendanceLog/GetMine',
  title: '我的考勤',
  needs: everyone,
  input: shape({ month: month('月份', { required: true, rule: calendarYears }) }),
  output: shape(
    {
      staffName: text('姓名'),
      groupName: text('考勤组'),
      planText: text('今日班次'),
      /** Why the caller cannot punch by phone; none where they can. */
      punchRefusal: text('不能打卡的原因'),
      punches: lines(
        '今日打卡',
        { punchTime: moment('时间', { required: true }), place: text('地点') },
        { required: true },
      ),
      days: lines(
        '每日',
        {
          workDate: day('日期', { required: true }),
          state: choice('状态', dayState),
          inTime: moment('上班卡'),
          outTime: moment('下班卡'),
          lateMinutes: int('迟到', { required: true }),
          earlyMinutes: int('早退', { required: true }),
          isOpen: flag('未结束', { required: true }),
        },
        { required: true },
      ),
    },
    { entity: 'dayRecord' },
  ),
})
