/** A command that a driver's devices take. Its arguments are what a form asks for. */
export interface DriverCommand {
  readonly action: string
  readonly label: string
  /** For what is wanted now or not at all: it is not carried out later than this after it was sent. */
  readonly timeoutMs?: number
  readonly arguments?: readonly CommandArgument[]
}

export interface CommandArgument {
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'flag' | 'choice'
  readonly isRequired?: boolean
  /** Of a number, whole ones only. */
  readonly min?: number
  readonly max?: number
  readonly unit?: string
  /** Of a text, in characters. */
  readonly maxLength?: number
  /** Of a choice: value and label. */
  readonly options?: readonly (readonly [value: string, label: string])[]
}

const status: DriverCommand = { action: 'status', label: '查询状态' }

const setLine: DriverCommand = {
  action: 'setLine',
  label: '模拟线路通断',
  arguments: [
    { key: 'isUp', label: '线路接通', kind: 'flag' },
    { key: 'forMs', label: '持续', kind: 'number', min: 0, max: 86_400_000, unit: '毫秒' },
  ],
}

const simulator: readonly DriverCommand[] = [
  {
    action: 'open',
    label: '远程开门',
    timeoutMs: 15_000,
    arguments: [{ key: 'seconds', label: '保持开启', kind: 'number', min: 1, max: 600, unit: '秒' }],
  },
  status,
  { action: 'listItems', label: '查询已下发项' },
  {
    action: 'makeRecords',
    label: '生成通行记录',
    arguments: [{ key: 'count', label: '条数', kind: 'number', isRequired: true, min: 1, max: 100_000 }],
  },
  { action: 'alarm', label: '模拟报警' },
  {
    action: 'fault',
    label: '模拟故障',
    arguments: [
      { key: 'title', label: '故障名称', kind: 'text', maxLength: 40 },
      {
        key: 'level',
        label: '等级',
        kind: 'choice',
        options: [
          ['1', '紧急'],
          ['2', '重要'],
          ['3', '一般'],
          ['4', '提示'],
        ],
      },
    ],
  },
  {
    action: 'clearFault',
    label: '模拟故障恢复',
    arguments: [{ key: 'title', label: '故障名称', kind: 'text', maxLength: 40 }],
  },
  setLine,
  { action: 'hang', label: '模拟无响应' },
  { action: 'crash', label: '模拟驱动崩溃' },
]

const isapi: readonly DriverCommand[] = [
  {
    action: 'openDoor',
    label: '远程开门',
    timeoutMs: 15_000,
    arguments: [{ key: 'seconds', label: '保持开启', kind: 'number', min: 1, max: 600, unit: '秒' }],
  },
  status,
  { action: 'readCard', label: '读卡', timeoutMs: 30_000 },
]

const card: CommandArgument = {
  key: 'card',
  label: '卡号',
  kind: 'text',
  isRequired: true,
  maxLength: 20,
}
const reader: CommandArgument = { key: 'reader', label: '读头', kind: 'number', min: 1, max: 2 }

const doorwaySimulator: readonly DriverCommand[] = [
  ...isapi,
  { action: 'swipe', label: '模拟刷卡', arguments: [card, reader] },
  {
    action: 'showFace',
    label: '模拟刷脸',
    arguments: [{ key: 'face', label: '人脸编号', kind: 'text', isRequired: true, maxLength: 20 }, reader],
  },
  {
    action: 'pressFinger',
    label: '模拟按指纹',
    arguments: [{ key: 'finger', label: '指纹编号', kind: 'text', isRequired: true, maxLength: 20 }, reader],
  },
  {
    action: 'makePassages',
    label: '生成通行记录',
    arguments: [{ key: 'count', label: '条数', kind: 'number', isRequired: true, min: 1, max: 10_000 }],
  },
  { action: 'placeCard', label: '模拟放卡', arguments: [card] },
  { action: 'forceDoor', label: '模拟强行开门' },
  { action: 'holdOpen', label: '模拟门未关' },
  { action: 'closeDoor', label: '模拟关门' },
  { action: 'listPeople', label: '查询已下发凭证' },
  { action: 'replaceBox', label: '模拟更换控制器' },
  setLine,
]

const gateway: readonly CommandArgument[] = [
  { key: 'gateNo', label: '网关号', kind: 'text', isRequired: true, maxLength: 30 },
  { key: 'hostName', label: '计算机名', kind: 'text', maxLength: 100 },
]

const watchdog: readonly DriverCommand[] = [
  status,
  { action: 'restartMachine', label: '断电重启计算机', arguments: gateway },
  {
    action: 'restartService',
    label: '重启服务',
    arguments: [
      ...gateway,
      { key: 'serviceName', label: '服务名', kind: 'text', isRequired: true, maxLength: 200 },
    ],
  },
]

const floor: CommandArgument = {
  key: 'floor',
  label: '楼层',
  kind: 'text',
  isRequired: true,
  maxLength: 4,
}

const lift: readonly DriverCommand[] = [
  { action: 'callLift', label: '远程呼梯', timeoutMs: 15_000, arguments: [floor] },
  {
    action: 'releaseFloor',
    label: '开放楼层',
    timeoutMs: 15_000,
    arguments: [
      floor,
      { key: 'seconds', label: '开放时长', kind: 'number', isRequired: true, min: 5, max: 3600, unit: '秒' },
    ],
  },
  status,
  { action: 'listItems', label: '查询已下发项' },
  {
    action: 'press',
    label: '模拟刷卡呼梯',
    arguments: [{ key: 'card', label: '卡号或邀请码', kind: 'text', isRequired: true, maxLength: 40 }, floor],
  },
  {
    action: 'trap',
    label: '模拟困人报警',
    arguments: [{ key: 'floor', label: '所在楼层', kind: 'text', maxLength: 4 }],
  },
  { action: 'endTrap', label: '模拟困人恢复' },
  {
    action: 'setLine',
    label: '模拟线路通断',
    arguments: [{ key: 'isUp', label: '线路接通', kind: 'flag' }],
  },
]

/**
 * What each driver of the agent declares; a new driver adds its list here and names it in its file. A driver
 * that is not here declares nothing: its commands are typed as its maker's manual has them.
 */
export const driverCommands: Readonly<Record<string, readonly DriverCommand[]>> = {
  simulator,
  isapi,
  doorwaySimulator,
  watchdog,
  lift,
}
