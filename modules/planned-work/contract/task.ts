import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  list,
  lookup,
  moment,
  part,
  ref,
  text,
} from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { extraReason, signType, stepResult, stepVerdict, taskState, workKind } from './choices.ts'

export const maxPhotos = 9

/** Lists of all projects and their sheets tell the rows of each apart. */
export const estateNameField = lookup('项目', 'projectCode', 'name', { wire: 'EstateName' })

const written = { immutable: true, hiddenIn: ['form'] } as const
const hidden = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const count = (label: string) => int(label, { required: true, initial: 0, hiddenIn: ['form', 'filter'] })

/** One occurrence of a plan: a day, a time, an object, and who does it (PAT-3). */
export const workTask = entity(
  'workTask',
  '任务',
  { table: 'work_task', tenancy: 'project', title: 'planName', order: ['-taskDate', 'beginTime', 'id'] },
  {
    projectCode: estateField(),
    estateName: estateNameField,
    kind: choice('工作类别', workKind, { required: true, immutable: true, wire: 'WorkKind', ...hidden }),
    planId: ref('计划', 'workPlan', {
      required: true,
      wire: ['PlanID', 'ScheduleID'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    planName: text('计划', { required: true, max: 60, searchable: true, ...written }),
    taskDate: day('日期', { required: true, ...written }),
    beginTime: moment('开始', { required: true, ...written }),
    endTime: moment('结束', { required: true, ...written }),
    /** The end and what may still be signed after it. */
    closeTime: moment('签到截止', {
      required: true,
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    /** 0, or the person where everyone of the plan has a task of their own: part of the unique key. */
    slot: idOf('名额', { required: true, max: 1e15, ...hidden }),
    staffId: ref('执行人', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'sheet', 'detail'] }),
    staffName: lookup('执行人', 'staffId', 'name', { wire: 'StaffName' }),
    /** Any one of these takes it by the first sign. */
    candidateIds: { ...list('可执行人', { max: 50, wire: 'CandidateIDs', ...hidden }), target: 'staff' },
    candidateNames: text('可执行人', { derived: true, hiddenIn: ['form', 'filter'], wire: 'CandidateNames' }),
    nobodyReason: text('无人可派', { max: 500, ...written }),
    /** Given to its person by hand: the plan changes it no more (指派, 改派). */
    assignTime: moment('指派时间', { ...written, hiddenIn: ['form', 'table', 'filter'] }),
    assignerName: text('指派人', { max: 60, ...written, hiddenIn: ['form', 'table', 'filter'] }),
    subjectId: idOf('工作内容', { required: true, max: 1e15, wire: 'SubjectID', ...hidden }),
    targetId: idOf('对象', { required: true, initial: 0, max: 1e15, wire: 'TargetID', ...hidden }),
    targetName: text('对象', { max: 200, searchable: true, ...written }),
    inOrder: flag('按序', { required: true, initial: false, ...hidden }),
    stepTotal: { ...count('应检项'), wire: ['StepTotal', 'PointTotal'] },
    stepDone: { ...count('已检项'), wire: ['StepDone', 'PointDone'] },
    normalCount: count('正常'),
    earlyCount: count('早到'),
    lateCount: count('迟到'),
    disorderCount: count('乱序'),
    missCount: count('漏检'),
    abnormalCount: count('异常'),
    score: decimal('得分', { hiddenIn: ['form', 'filter'] }),
    signTime: moment('首次签到', { ...written, hiddenIn: ['form', 'table', 'filter'] }),
    finishTime: moment('完成时间', { ...written }),
    remindTime: moment('提醒时间', { ...hidden }),
    fromTaskId: ref('原任务', 'workTask', {
      wire: 'FromTaskID',
      ...written,
      hiddenIn: ['form', 'filter', 'table', 'sheet'],
    }),
    /** Whom a missed task was given to since, and when: nobody is appointed twice. */
    againText: text('已重派', {
      derived: true,
      hiddenIn: ['form', 'filter', 'table', 'sheet'],
      wire: 'AgainText',
    }),
    disableReason: text('停用原因', { max: 200, ...written }),
    state: choice('状态', taskState, { required: true, initial: 'waiting', struckOut: ['disabled'] }),
  },
)

export type WorkTask = Row<typeof workTask>

/** A check item of a step, and what was found of it. */
export const checkItemFields = {
  name: text('检查项', { required: true, max: 60 }),
  needsPhoto: flag('需拍照'),
  raisesOrder: flag('不合格派工单'),
  minValue: text('下限', { max: 20 }),
  maxValue: text('上限', { max: 20 }),
  unit: text('单位', { max: 10 }),
}

export const itemResultFields = {
  name: text('检查项', { required: true, max: 60 }),
  verdict: choice('结果', stepVerdict, { required: true }),
  value: text('数值', { max: 40 }),
  remark: text('说明', { max: 200 }),
}

/** What a step asks of the person who signs it. */
export const stepNeedFields = {
  signKinds: list('签到方式', { max: 6, help: 'qr,nfc,ble,gps,photo' }),
  photo: flag('需拍照'),
  /** The step itself is judged: passed, failed or not applicable. */
  verdict: flag('需填写结果'),
  raisesOrder: flag('不合格派工单'),
  minValue: text('下限', { max: 20 }),
  maxValue: text('上限', { max: 20 }),
  unit: text('单位', { max: 10 }),
  items: lines('检查项', checkItemFields, { max: 50 }),
}

const inDetail = { hiddenIn: ['table', 'filter', 'sheet'] } as const

/** A point of a round, or an item of a standard, in one task: the task's own copy (PAT-10). */
export const workStep = entity(
  'workStep',
  '任务记录',
  { table: 'work_step', tenancy: 'project', title: 'stepName', order: ['taskId', 'sort', 'id'] },
  {
    projectCode: estateField(),
    estateName: estateNameField,
    kind: choice('工作类别', workKind, { required: true, immutable: true, wire: 'WorkKind', ...hidden }),
    taskId: ref('任务', 'workTask', {
      required: true,
      wire: 'TaskID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    planName: lookup('计划', 'taskId', 'planName', { wire: 'PlanName', searchable: true }),
    targetName: lookup('对象', 'taskId', 'targetName', { wire: 'TargetName', searchable: true }),
    taskDate: day('日期', { required: true, ...written }),
    sort: int('顺序', { required: true, immutable: true, hiddenIn: ['form', 'filter'] }),
    /** The point, or 0 for an item of a standard. */
    subjectId: idOf('点位', {
      required: true,
      initial: 0,
      max: 1e15,
      wire: ['SubjectID', 'LocationID'],
      ...hidden,
    }),
    stepName: text('名称', {
      required: true,
      max: 100,
      searchable: true,
      wire: ['StepName', 'ItemName'],
      ...written,
    }),
    dueTime: moment('应到', { required: true, ...written }),
    tolerance: int('允许误差', {
      unit: '分钟',
      help: '无误差的为任务时间内均可',
      hiddenIn: ['table', 'form', 'filter'],
    }),
    weight: int('权重', { required: true, initial: 1, hiddenIn: ['form', 'filter', 'table'] }),
    needs: part('要求', stepNeedFields, {
      wire: 'Needs',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    result: choice('到位结果', stepResult, { wire: ['Result', 'SignResult'] }),
    verdict: choice('检查结果', stepVerdict),
    isAbnormal: flag('异常', { required: true, initial: false }),
    abnormal: text('异常说明', { max: 500, searchable: true, hiddenIn: ['form', 'filter'] }),
    signTime: moment('实到', { ...written }),
    signType: choice('签到方式', signType),
    staffId: ref('签到人', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'sheet', 'detail'] }),
    staffName: lookup('签到人', 'staffId', 'name', { wire: 'StaffName' }),
    /** Whose task it is: nobody signed what was missed. */
    assigneeNames: text('执行人', { derived: true, hiddenIn: ['form', 'filter'], wire: 'AssigneeNames' }),
    value: text('数值', { max: 40, hiddenIn: ['form', 'filter', 'table'] }),
    items: lines('检查项结果', itemResultFields, { max: 50, wire: ['ItemJson', 'Items'], ...inDetail }),
    photos: list('照片', { max: maxPhotos, holdsFiles: true, hiddenIn: ['filter', 'sheet'] }),
    remark: text('说明', { max: 200, hiddenIn: ['form', 'filter', 'table'] }),
    workOrderId: ref('工单', 'workOrder', {
      wire: ['WorkorderID', 'WorkOrderID'],
      hiddenIn: ['filter', 'table', 'sheet', 'detail'],
    }),
    workOrderNo: lookup('工单', 'workOrderId', 'orderNo', { wire: 'WorkOrderNo' }),
    isOffline: flag('离线补传', { required: true, initial: false }),
    /** Device time less the server's, where the clock of the device was off by more than five minutes. */
    clockOffset: int('时钟偏差', {
      unit: '秒',
      help: '设备时钟与服务器相差超过 5 分钟时记录',
      hiddenIn: ['form', 'filter', 'table'],
    }),
  },
)

export type WorkStep = Row<typeof workStep>

/** What the device of the person sends for one step; the same uuid again is the same sign. */
export const signFields = {
  uuid: text('签到编号', { required: true, max: 60, wire: 'Uuid' }),
  taskId: idOf('任务', { required: true, min: 1, wire: 'TaskID' }),
  stepId: idOf('任务项', { min: 1, wire: 'StepID', help: '扫码签到时由签到码确定' }),
  signType: choice('签到方式', signType, { required: true }),
  code: text('签到码', { max: 200, wire: 'Code' }),
  deviceTime: moment('设备时间', { required: true }),
  longitude: decimal('经度', { scale: 6 }),
  latitude: decimal('纬度', { scale: 6 }),
  verdict: choice('检查结果', stepVerdict),
  value: text('数值', { max: 40 }),
  items: lines('检查项结果', itemResultFields, { max: 50, wire: ['ItemJson', 'Items'] }),
  photos: list('照片', { max: maxPhotos, holdsFiles: true }),
  abnormal: text('异常说明', { max: 500 }),
  remark: text('说明', { max: 200 }),
  isOffline: flag('离线补传'),
}

/** Every sign that was received: kept in its step, or beside it with the reason (PAT-6). */
export const workSign = entity(
  'workSign',
  '签到记录',
  { table: 'work_sign', tenancy: 'project', title: 'uuid', order: ['-id'] },
  {
    projectCode: estateField(),
    kind: choice('工作类别', workKind, { required: true, immutable: true, wire: 'WorkKind', ...hidden }),
    uuid: text('签到编号', {
      required: true,
      max: 60,
      ...written,
      hiddenIn: ['form', 'table', 'filter', 'sheet'],
    }),
    taskId: ref('任务', 'workTask', {
      required: true,
      wire: 'TaskID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    stepId: ref('任务项', 'workStep', {
      wire: 'StepID',
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    stepName: lookup('任务项', 'stepId', 'stepName', { wire: 'StepName' }),
    staffId: ref('签到人', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'sheet', 'detail'] }),
    staffName: lookup('签到人', 'staffId', 'name', { wire: 'StaffName' }),
    signType: choice('签到方式', signType, { required: true }),
    code: text('签到码', { max: 200, hiddenIn: ['form', 'filter', 'table', 'sheet'] }),
    deviceTime: moment('设备时间', { required: true, ...written }),
    serverTime: moment('收到时间', { required: true, ...written }),
    clockOffset: int('时钟偏差', { required: true, initial: 0, unit: '秒', hiddenIn: ['form', 'filter'] }),
    longitude: decimal('经度', { scale: 6, hiddenIn: ['form', 'filter', 'table'] }),
    latitude: decimal('纬度', { scale: 6, hiddenIn: ['form', 'filter', 'table'] }),
    photos: list('照片', { max: maxPhotos, holdsFiles: true, hiddenIn: ['filter', 'sheet'] }),
    abnormal: text('异常说明', { max: 500, hiddenIn: ['form', 'filter'] }),
    isOffline: flag('离线补传', { required: true, initial: false }),
    isKept: flag('计入', { required: true, initial: false }),
    extraReason: choice('未计入原因', extraReason),
  },
)

export type WorkSign = Row<typeof workSign>

const { code: _code, ...withoutCode } = workSign.fields

/** A sign as it is shown: who knows what a label says could sign from anywhere. */
export const shownSignFields = withoutCode

/** What became of each sign that was sent, in the order in which they were sent. */
export const signAnswerFields = {
  uuid: text('签到编号', { required: true, wire: 'Uuid' }),
  isKept: flag('计入', { required: true }),
  extraReason: choice('未计入原因', extraReason),
  message: text('说明', { required: true }),
  stepId: idOf('任务项', { wire: 'StepID' }),
  result: choice('到位结果', stepResult),
  workOrderNo: text('工单', { wire: 'WorkOrderNo' }),
}
