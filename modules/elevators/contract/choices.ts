import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** ELV-1 */
export const elevatorState = choiceTable('ElevatorState', '状态', {
  running: [10, '运行', 'done'],
  stopped: [20, '停用', 'off'],
  repair: [30, '检修', 'hold'],
  trapped: [40, '困人报警', 'bad'],
})

export type ElevatorState = ChoiceOf<typeof elevatorState>

export const maintainType = choiceTable('ElevatorMaintainType', '维保类型', {
  halfMonth: [10, '半月'],
  quarter: [20, '季度'],
  halfYear: [30, '半年'],
  year: [40, '年度'],
  repair: [50, '故障维修'],
  inspection: [60, '年检'],
})

export type MaintainType = ChoiceOf<typeof maintainType>

export const maintainResult = choiceTable('ElevatorMaintainResult', '结果', {
  passed: [10, '合格', 'done'],
  rework: [20, '需整改', 'bad'],
})

/** ELV-2: what is not done in a busy time. */
export const busyLimit = choiceTable('ElevatorBusyLimit', '限制', {
  noCall: [10, '禁呼叫'],
  ownFloor: [20, '仅本层'],
  hint: [30, '仅提示'],
})

export type BusyLimit = ChoiceOf<typeof busyLimit>

/** Codes as those of door openings. */
export const callMethod = choiceTable('ElevatorCallMethod', '方式', {
  bluetooth: [0, '蓝牙'],
  card: [1, 'RFID 卡'],
  wechat: [2, '微信扫码'],
  face: [3, '人脸'],
  qr: [4, '二维码'],
  remote: [5, '远程'],
  password: [6, '密码'],
  button: [7, '按钮'],
})

export const callResult = choiceTable('ElevatorCallResult', '结果', {
  failed: [0, '失败', 'bad'],
  done: [1, '成功', 'done'],
})

export const rightState = choiceTable('LadderRightState', '状态', {
  valid: [10, '有效', 'done'],
  disabled: [20, '停用', 'off'],
})

/** Why somebody may go to a floor (ELV-2). */
export const floorSource = choiceTable('ElevatorFloorSource', '依据类别', {
  home: [10, '住处楼层'],
  right: [20, '梯控权限'],
  visit: [30, '拜访楼层'],
})

export type FloorSource = ChoiceOf<typeof floorSource>

export const alarmState = choiceTable('ElevatorAlarmState', '处理状态', {
  open: [10, '未确认', 'bad'],
  acknowledged: [20, '处理中', 'doing'],
  resolved: [30, '已解除', 'done'],
})

export type AlarmState = ChoiceOf<typeof alarmState>

export const alarmResolution = choiceTable('ElevatorAlarmResolution', '处理结果', {
  rescued: [10, '已救出'],
  falseAlarm: [20, '误报'],
  test: [30, '测试'],
})

export type AlarmResolution = ChoiceOf<typeof alarmResolution>

export const remoteAction = choiceTable('ElevatorRemoteAction', '操作', {
  callLift: [10, '呼梯'],
  releaseFloor: [20, '开放楼层'],
})

export const remoteState = choiceTable('ElevatorRemoteState', '结果', {
  sent: [10, '已下发', 'doing'],
  done: [20, '成功', 'done'],
  failed: [30, '失败', 'bad'],
  timedOut: [40, '超时', 'bad'],
})
