import { choiceTable, type Choices } from '#kit/contract/field.ts'
import { faultLevel, watchdogAction } from './choices.ts'

/** Types of events that this product's own programs send. A driver of another hand may send others. */
export const eventType = choiceTable('DeviceEventType', '事件类型', {
  opened: ['opened', '开门'],
  alarm: ['alarm', '报警'],
  swipe: ['swipe', '刷卡'],
  doorPassage: ['doorPassage', '通行'],
  doorAlarm: ['doorAlarm', '门报警'],
  deviceReset: ['deviceReset', '设备重置'],
  fault: ['fault', '设备故障'],
  faultCleared: ['faultCleared', '故障恢复'],
  liftCall: ['liftCall', '呼梯'],
  liftAlarm: ['liftAlarm', '电梯报警'],
  watchdogRestarted: ['watchdogRestarted', '看门狗重启'],
  driverStopped: ['driverStopped', '驱动停止'],
  driverStarted: ['driverStarted', '驱动恢复'],
  eventsDropped: ['eventsDropped', '事件丢弃'],
  unknown: ['unknown', '无法识别'],
})

const openedBy = choiceTable('DeviceOpenedBy', '开门方式', {
  card: ['card', '刷卡'],
  remote: ['remote', '远程'],
})

/** How somebody opened, by the codes of open-door records. */
const passageMethod = choiceTable('DoorPassageMethod', '开门方式', {
  bluetooth: [0, '蓝牙'],
  card: [1, '刷卡'],
  wechat: [2, '微信扫码'],
  face: [3, '人脸'],
  qr: [4, '二维码'],
  remote: [5, '远程'],
  password: [6, '密码'],
  button: [7, '按钮'],
})

const passageResult = choiceTable('DoorPassageResult', '结果', { opened: [1, '已开'], refused: [0, '未开'] })
const passageWay = choiceTable('DoorPassageWay', '方向', { inward: [1, '进'], outward: [2, '出'] })

const doorAlarm = choiceTable('DoorAlarm', '报警', {
  forced: ['forced', '强行开门'],
  heldOpen: ['heldOpen', '门未关'],
})

const alarmReason = choiceTable('DeviceAlarmReason', '报警原因', {
  forcedOpen: ['forcedOpen', '强行开门'],
})

const liftAlarmKind = choiceTable('DeviceLiftAlarm', '电梯报警', {
  trapped: ['trapped', '困人'],
})

const liftResult = choiceTable('DeviceLiftResult', '呼梯结果', {
  refused: ['0', '失败'],
  done: ['1', '成功'],
})

const restartAction = choiceTable('DeviceRestartAction', '恢复方式', {
  restartService: ['restartService', watchdogAction.rows.restartService[1]],
  restartMachine: ['restartMachine', watchdogAction.rows.restartMachine[1]],
})

interface EventMember {
  readonly label: string
  /** What its codes mean; other values are shown as they are. */
  readonly choices?: Choices
}

/** What an event of any type may carry beside its own members. */
const commonMembers: Readonly<Record<string, EventMember>> = {
  no: { label: '记录号' },
  isCut: { label: '内容过长已省略' },
  length: { label: '原长度' },
  omittedBytes: { label: '省略字节数' },
}

const membersByType: Readonly<Record<string, Readonly<Record<string, EventMember>>>> = {
  opened: { by: { label: '开门方式', choices: openedBy }, card: { label: '卡号' } },
  alarm: { reason: { label: '原因', choices: alarmReason } },
  swipe: { card: { label: '卡号' } },
  doorPassage: {
    key: { label: '记录号' },
    at: { label: '时间' },
    method: { label: '开门方式', choices: passageMethod },
    result: { label: '结果', choices: passageResult },
    reason: { label: '原因' },
    direction: { label: '方向', choices: passageWay },
    item: { label: '凭证' },
    card: { label: '卡号' },
    decided: { label: '逐次核验' },
    picture: { label: '抓拍' },
    temperature: { label: '体温' },
  },
  doorAlarm: {
    key: { label: '记录号' },
    at: { label: '时间' },
    alarm: { label: '报警', choices: doorAlarm },
    ended: { label: '已结束' },
  },
  deviceReset: { serial: { label: '序列号' } },
  fault: {
    title: { label: '故障' },
    code: { label: '故障代码' },
    level: { label: '等级', choices: faultLevel },
  },
  faultCleared: { title: { label: '故障' }, code: { label: '故障代码' } },
  liftCall: {
    card: { label: '卡号' },
    from: { label: '起始层' },
    to: { label: '目的层' },
    result: { label: '结果', choices: liftResult },
    reason: { label: '原因' },
  },
  liftAlarm: {
    alarm: { label: '报警', choices: liftAlarmKind },
    floor: { label: '所在楼层' },
    ended: { label: '已恢复' },
  },
  watchdogRestarted: {
    action: { label: '恢复方式', choices: restartAction },
    gateNo: { label: '网关号' },
    hostName: { label: '主机名' },
    serviceName: { label: '服务' },
  },
  driverStopped: { driver: { label: '驱动' }, reason: { label: '原因' } },
  driverStarted: { driver: { label: '驱动' } },
  eventsDropped: {
    count: { label: '条数' },
    firstSeq: { label: '起始序号' },
    lastSeq: { label: '截止序号' },
  },
}

export const eventMember = (type: string, key: string): EventMember | undefined =>
  membersByType[type]?.[key] ?? commonMembers[key]

/** Every member with codes, of whichever type. */
export const codedEventMembers = (): readonly (readonly [key: string, choices: Choices])[] =>
  Object.values(membersByType).flatMap(members =>
    Object.entries(members).flatMap(([key, { choices }]) => (choices ? [[key, choices] as const] : [])),
  )
