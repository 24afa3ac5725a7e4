import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** What a plan is about; each kind is registered by the module that owns it. */
export const workKind = choiceTable('WorkKind', '工作类别', {
  patrol: [10, '巡更'],
  standard: [20, '任务标准'],
  greening: [30, '绿化'],
  cleaning: [40, '保洁'],
  maintenance: [50, '维保'],
})

export type WorkKind = ChoiceOf<typeof workKind>

/** C13 */
export const planState = choiceTable('WorkPlanState', '计划状态', {
  draft: [10, '草稿', 'hold'],
  enabled: [20, '启用', 'done'],
  disabled: [30, '停用', 'off'],
  ended: [40, '已结束', 'off'],
})

/** PAT-2 */
export const cycleType = choiceTable('WorkCycleType', '周期', {
  daily: [1, '每天'],
  weekly: [2, '每周'],
  monthly: [3, '每月'],
  everyDays: [4, '每N天'],
  dates: [5, '指定日期'],
})

export type CycleType = ChoiceOf<typeof cycleType>

/** What the calendar of the company does to the days of a cycle. */
export const calendarRule = choiceTable('WorkCalendarRule', '节假日', {
  always: [10, '照常执行'],
  skipHolidays: [20, '节假日跳过'],
  workdays: [30, '仅工作日'],
})

export type CalendarRule = ChoiceOf<typeof calendarRule>

export const staffMode = choiceTable('WorkStaffMode', '人员方式', {
  everyone: [1, '全部'],
  anyone: [2, '任一'],
  rotation: [3, '轮换'],
})

export type StaffMode = ChoiceOf<typeof staffMode>

/** What tasks of a standard are about, beside the standard itself. */
export const targetType = choiceTable('WorkTargetType', '对象类别', {
  cleaningPoint: [10, '保洁点'],
  greenArea: [20, '绿化区'],
  publicArea: [30, '公区'],
  device: [40, '设备'],
})

export type TargetType = ChoiceOf<typeof targetType>

/** PAT-7 */
export const taskState = choiceTable('WorkTaskState', '任务状态', {
  waiting: [10, '未开始', 'todo'],
  running: [20, '进行中', 'doing'],
  done: [30, '已完成', 'done'],
  partial: [40, '部分完成', 'bad'],
  missed: [50, '未执行', 'bad'],
  disabled: [60, '已停用', 'off'],
})

export type TaskState = ChoiceOf<typeof taskState>

/** PAT-4, PAT-5: when a step was signed; that something was wrong there is beside it (`isAbnormal`). */
export const stepResult = choiceTable('WorkStepResult', '到位结果', {
  normal: [10, '正常', 'done'],
  early: [20, '早到', 'todo'],
  late: [30, '迟到', 'hold'],
  missed: [40, '漏检', 'bad'],
  disorder: [50, '乱序', 'hold'],
})

export type StepResult = ChoiceOf<typeof stepResult>

export const stepVerdict = choiceTable('WorkStepVerdict', '检查结果', {
  passed: [10, '合格', 'done'],
  failed: [20, '不合格', 'bad'],
  notApplicable: [30, '不适用', 'off'],
})

export type StepVerdict = ChoiceOf<typeof stepVerdict>

export const signType = choiceTable('WorkSignType', '签到方式', {
  qr: [10, '二维码'],
  nfc: [20, 'NFC'],
  ble: [30, '蓝牙'],
  gps: [40, 'GPS'],
  photo: [50, '拍照'],
  manual: [60, '手工填写'],
})

export type SignType = ChoiceOf<typeof signType>

/** Why a received sign is kept beside the record and counts for nothing (PAT-6). */
export const extraReason = choiceTable('WorkExtraReason', '未计入原因', {
  repeated: [10, '重复签到'],
  unknownCode: [20, '签到码无效'],
  notInTask: [30, '不属于该任务'],
  tooFar: [40, '超出签到范围'],
  outsideTime: [50, '不在任务时间内'],
  tooOld: [60, '超过24小时补传'],
  taskClosed: [70, '任务已结束或停用'],
  notAssigned: [80, '非本人任务'],
  wrongWay: [90, '签到方式不符'],
  incomplete: [100, '缺少照片或检查结果'],
})

export type ExtraReason = ChoiceOf<typeof extraReason>

export const standardCategory = choiceTable('TaskStandardCategory', '类别', {
  cleaning: [10, '保洁'],
  greening: [20, '绿化'],
  order: [30, '秩序'],
  device: [40, '设备'],
  service: [50, '客服'],
})
