import { choiceTable } from '#kit/contract/field.ts'

export const groupType = choiceTable('AttendanceGroupType', '类型', {
  fixed: [1, '固定班'],
  schedule: [2, '排班'],
  free: [3, '自由工时'],
})

export const weekDay = choiceTable('AttendanceWeekDay', '星期', {
  monday: [1, '周一'],
  tuesday: [2, '周二'],
  wednesday: [3, '周三'],
  thursday: [4, '周四'],
  friday: [5, '周五'],
  saturday: [6, '周六'],
  sunday: [7, '周日'],
})

export const overtimeRule = choiceTable('AttendanceOvertimeRule', '休息日加班', {
  approval: [10, '按加班单'],
  punches: [20, '按打卡'],
})

export const punchSource = choiceTable('AttendanceLogSource', '来源', {
  device: [10, '考勤机'],
  phone: [20, '手机'],
  doorway: [30, '门禁'],
  imported: [40, '导入'],
  mended: [50, '补卡'],
})

/** ATT-10 */
export const dayState = choiceTable('DayRecordState', '状态', {
  normal: [10, '正常', 'done'],
  late: [20, '迟到', 'todo'],
  early: [30, '早退', 'todo'],
  lateAndEarly: [40, '迟到且早退', 'todo'],
  missing: [50, '缺卡', 'hold'],
  absent: [60, '旷工', 'bad'],
  leave: [70, '请假', 'doing'],
  rest: [80, '休息', 'off'],
  trip: [90, '外出、出差', 'doing'],
  unscheduled: [95, '未排班', 'open'],
})

export const daySort = choiceTable('DayRecordDaySort', '日期类型', {
  weekday: [10, '工作日'],
  rest: [20, '休息日'],
  holiday: [30, '法定节假日'],
})

export const applyType = choiceTable('AttendanceApplyType', '类型', {
  leave: [10, '请假'],
  mend: [20, '补卡'],
  overtime: [30, '加班'],
  out: [40, '外出'],
  trip: [50, '出差'],
  swap: [60, '调班'],
})

export const leaveType = choiceTable('AttendanceLeaveType', '假别', {
  personal: [10, '事假'],
  sick: [20, '病假'],
  annual: [30, '年假'],
  compensatory: [40, '调休'],
  marriage: [50, '婚假'],
  maternity: [60, '产假'],
  bereavement: [70, '丧假'],
  injury: [80, '工伤'],
})

export const applyState = choiceTable('AttendanceApplyState', '状态', {
  pending: [10, '审批中', 'doing'],
  passed: [20, '通过', 'done'],
  refused: [30, '驳回', 'bad'],
  withdrawn: [40, '撤回', 'off'],
  cancelled: [50, '已取消', 'off'],
})

export const mendPoint = choiceTable('AttendanceMendPoint', '补卡点', {
  in: [1, '上班'],
  out: [2, '下班'],
})
