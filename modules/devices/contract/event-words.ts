import { choiceTable, type Choices } from '#kit/contract/field.ts'
import { faultLevel, watchdogAction } from './choices.ts'

/** Types of events that this product's own programs send. A driver of another hand may send others. */
export const eventType = choiceTable('DeviceEventType', '事件类型', {
  opened: ['opened', '开门'],
  alarm: ['alarm', '报警'],
  swipe: ['swipe', '刷卡'],
  fault: ['fault', '设备故障'],
  faultCleared: ['faultCleared', '故障恢复'],
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

const alarmReason = choiceTable('DeviceAlarmReason', '报警原因', {
  forcedOpen: ['forcedOpen', '强行开门'],
})

const restartAction = choiceTable('DeviceRestartAction', '恢复方式', {
  restartService: ['restartService', watchdogAction.rows.restartService[1]],
  restartMachine: ['restartMachine', watchdogAction.rows.restartMachine[1]],
})

interface EventMember {
  readonly label: string
  /** What its codes mean; of what is not among them the value stands for itself. */
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
  fault: {
    title: { label: '故障' },
    code: { label: '故障代码' },
    level: { label: '等级', choices: faultLevel },
  },
  faultCleared: { title: { label: '故障' }, code: { label: '故障代码' } },
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
