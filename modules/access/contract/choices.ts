import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

export const passageDirection = choiceTable('GateDirection', '方向', {
  exit: [10, '出口'],
  entrance: [20, '入口'],
  both: [30, '出入口'],
})

export const passageType = choiceTable('GateType', '类型', {
  pedestrian: [10, '人行'],
  vehicle: [20, '车行'],
})

/** Whom a group of doors is for by itself, beside the credentials that name it. */
export const groupScope = choiceTable('DoorwayGroupScope', '适用', {
  manual: [10, '手动指定'],
  building: [20, '按楼栋'],
  unit: [30, '按单元'],
  staff: [40, '员工'],
})

export const weekDay = choiceTable('AccessWeekDay', '星期', {
  monday: [1, '周一'],
  tuesday: [2, '周二'],
  wednesday: [3, '周三'],
  thursday: [4, '周四'],
  friday: [5, '周五'],
  saturday: [6, '周六'],
  sunday: [7, '周日'],
})

export type WeekDay = ChoiceOf<typeof weekDay>

export const vipState = choiceTable('VipDoorState', '状态', {
  valid: [10, '有效', 'done'],
  disabled: [20, '停用', 'off'],
})

/** Of the code that a person shows on a telephone; one that was replaced is kept for the records of it. */
export const passCodeState = choiceTable('PassCodeState', '状态', {
  valid: [10, '有效', 'done'],
  revoked: [20, '停用', 'off'],
  replaced: [30, '已更换', 'off'],
})

/** Of whom a link opens the page: of a resident at one home, or of a worker of a company. */
export const personLinkKind = choiceTable('PersonLinkKind', '链接类型', {
  residency: [1, '住户房屋'],
  worker: [2, '企业员工'],
})

/** What opens a door; the key is what the name of an item begins with that a device holds. */
export const credentialKind = choiceTable('CredentialType', '凭证类型', {
  card: [10, '卡'],
  face: [20, '人脸'],
  qr: [30, '二维码'],
  plate: [40, '车牌'],
  password: [50, '密码'],
  pass: [60, '通行码'],
  phone: [70, '手机'],
  fingerprint: [80, '指纹'],
})

export type CredentialKind = ChoiceOf<typeof credentialKind>

/** Why somebody may open a door (ACS-2). */
export const rightSource = choiceTable('DoorwayRightSource', '依据', {
  group: [10, '凭证的门组'],
  placeGroup: [20, '楼栋或单元的门组'],
  publicDoorway: [30, '公共门'],
  vip: [40, 'VIP 门'],
  staffGroup: [50, '员工门组'],
})

export type RightSource = ChoiceOf<typeof rightSource>

/** ACS-5: how a door was opened; the codes of the specification, and this product's own from 5. */
export const openMethod = choiceTable('OpenMethod', '开门方式', {
  bluetooth: [0, '蓝牙'],
  card: [1, '刷卡'],
  wechat: [2, '微信扫码'],
  face: [3, '人脸'],
  qr: [4, '二维码'],
  remote: [5, '远程'],
  password: [6, '密码'],
  button: [7, '按钮'],
  fingerprint: [8, '指纹'],
  plate: [9, '车牌'],
  phone: [10, '电话'],
  mobile: [11, '手机'],
})

export type OpenMethod = ChoiceOf<typeof openMethod>

export const openStatus = choiceTable('OpenStatus', '结果', {
  opened: [1, '已开', 'done'],
  refused: [0, '未开', 'bad'],
})

export const personKind = choiceTable('PersonKind', '人员类型', {
  resident: [10, '住户'],
  staff: [20, '员工'],
  visitor: [30, '访客'],
  companyWorker: [40, '企业员工'],
  stranger: [90, '陌生人'],
})

export type PersonKind = ChoiceOf<typeof personKind>

/** Whose credentials a device takes; of everybody where none is named. */
export const openRole = choiceTable('DoorOpenRole', '开门角色', {
  resident: [10, '住户'],
  staff: [20, '员工'],
  visitor: [30, '访客'],
})
