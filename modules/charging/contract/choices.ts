import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** C20 */
export const chargeMode = choiceTable('ChargerChargeMode', '计费方式', {
  energy: [1, '按电量'],
  duration: [2, '按时长'],
  package: [3, '包时'],
})

export type ChargeMode = ChoiceOf<typeof chargeMode>

export const hubType = choiceTable('ChargerHubType', '类型', {
  carSlow: [10, '汽车慢充'],
  carFast: [20, '汽车快充'],
  bike: [30, '电动自行车'],
})

export type HubType = ChoiceOf<typeof hubType>

/** C20 */
export const portState = choiceTable('ChargerPortState', '端口状态', {
  free: [10, '空闲', 'done'],
  occupied: [20, '占用', 'hold'],
  charging: [30, '充电中', 'doing'],
  fault: [40, '故障', 'bad'],
  offline: [50, '离线', 'off'],
})

export type PortState = ChoiceOf<typeof portState>

/** C20; `closed` is ours: nobody paid in time. */
export const orderState = choiceTable('ChargerOrderState', '状态', {
  waiting: [10, '待支付', 'open'],
  starting: [20, '启动中', 'doing'],
  charging: [30, '充电中', 'doing'],
  settling: [40, '结算中', 'doing'],
  done: [50, '已完成', 'done'],
  failed: [60, '启动失败', 'bad'],
  abnormal: [70, '异常', 'bad'],
  closed: [80, '已关闭', 'off'],
})

export type OrderState = ChoiceOf<typeof orderState>

export const stopReason = choiceTable('ChargerStopReason', '停止原因', {
  full: [10, '充满'],
  user: [20, '用户停止'],
  spent: [30, '余额用尽'],
  overtime: [40, '超时'],
  fault: [50, '故障'],
  unplugged: [60, '拔出'],
})

export type StopReason = ChoiceOf<typeof stopReason>

export const exceptionType = choiceTable('HubExceptionType', '类型', {
  offline: [10, '离线'],
  overCurrent: [20, '过流'],
  overHeat: [30, '过温'],
  leakage: [40, '漏电'],
  startFailed: [50, '启动失败'],
  settlement: [60, '结算异常'],
  reading: [70, '读数异常'],
  lost: [80, '订单中断'],
  other: [90, '其他故障'],
})

export type ExceptionType = ChoiceOf<typeof exceptionType>

export const exceptionState = choiceTable('HubExceptionState', '状态', {
  open: [10, '未处理', 'bad'],
  handled: [20, '已处理', 'done'],
  recovered: [30, '自动恢复', 'off'],
})
