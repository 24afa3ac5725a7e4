import { choiceTable } from '#kit/contract/field.ts'

/** What a piece of equipment belongs to (DeviceType). */
export const systemType = choiceTable('DeviceSystemType', '系统类型', {
  water: [10, '给排水'],
  power: [20, '强电'],
  lowVoltage: [30, '弱电'],
  fire: [40, '消防'],
  elevator: [50, '电梯'],
  hvac: [60, '暖通'],
  security: [70, '安防'],
  parking: [80, '停车'],
  other: [90, '其他'],
})

/** DEV-1 */
export const deviceState = choiceTable('DeviceStatus', '设备状态', {
  normal: [10, '正常', 'done'],
  faulty: [20, '故障', 'bad'],
  repair: [30, '维修', 'hold'],
  disabled: [40, '停用', 'off'],
  scrapped: [50, '报废', 'off'],
})

export const gatewayState = choiceTable('GatewayState', '网关状态', {
  unpaired: [10, '未配对', 'todo'],
  paired: [20, '已配对', 'done'],
  revoked: [30, '已吊销', 'off'],
})

/** RMT-1 */
export const taskState = choiceTable('RemoteTaskState', '任务状态', {
  sent: [10, '已下发', 'doing'],
  received: [20, '设备已接收', 'doing'],
  done: [30, '成功', 'done'],
  failed: [40, '失败', 'bad'],
  timedOut: [50, '超时', 'bad'],
})

/** Commands by the codes of the specification; those above 2096 are this product's own. */
export const remoteCommand = choiceTable('RemoteCommand', '指令', {
  listProcesses: [2072, '查看进程'],
  killProcess: [2064, '结束进程'],
  listServices: [2073, '查看服务'],
  startService: [2062, '启动服务'],
  stopService: [2061, '停止服务'],
  restartService: [2063, '重启服务'],
  runFile: [2087, '运行文件'],
  deleteFile: [2082, '删除文件'],
  listDirectory: [2077, '查看目录'],
  restartMachine: [2076, '重启机器'],
  runShell: [2095, '执行命令'],
  pushFile: [2096, '推送文件'],
  updateAgent: [2097, '升级网关程序'],
  device: [2098, '控制设备'],
})

/** RMT-4 */
export const pushAction = choiceTable('PushAction', '推送方式', {
  file: ['file', '推送文件'],
  kernel: ['kernel', '推送内核'],
  package: ['package', '推送接口包'],
})

export const eventState = choiceTable('DeviceEventState', '处理状态', {
  handled: [10, '已处理', 'done'],
  failed: [20, '处理失败', 'bad'],
})

export const itemAction = choiceTable('DeviceItemAction', '下发方式', {
  put: [10, '下发'],
  remove: [20, '删除'],
})

/** ACS-3 */
export const itemState = choiceTable('DeviceItemState', '下发状态', {
  waiting: [10, '待同步', 'todo'],
  done: [20, '成功', 'done'],
  failed: [30, '失败', 'bad'],
  removing: [40, '待删除', 'todo'],
  removed: [50, '已删除', 'off'],
})

export const faultKind = choiceTable('DeviceFaultKind', '故障类型', {
  offline: [10, '离线'],
  reported: [20, '设备报告故障'],
  command: [30, '指令连续失败'],
  sync: [40, '下发失败'],
  clock: [50, '时钟偏差'],
  disk: [60, '磁盘空间不足'],
  backlog: [70, '事件积压'],
  driver: [80, '驱动停止'],
  dropped: [90, '事件丢弃'],
})

/** 1 is the worst. */
export const faultLevel = choiceTable('DeviceFaultLevel', '故障等级', {
  critical: [1, '紧急', 'bad'],
  major: [2, '重要', 'bad'],
  minor: [3, '一般', 'hold'],
  warning: [4, '提示', 'open'],
})

export const faultState = choiceTable('DeviceFaultState', '故障状态', {
  open: [10, '未恢复', 'bad'],
  recovered: [20, '已恢复', 'done'],
  closed: [30, '已处理', 'done'],
})

export const watchdogAction = choiceTable('WatchdogAction', '恢复方式', {
  restartService: [10, '重启服务'],
  restartMachine: [20, '重启机器'],
})
