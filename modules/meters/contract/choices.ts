import { choiceTable } from '#kit/contract/field.ts'

/** MTR-1 */
export const meterKind = choiceTable('MeterKind', '表类型', {
  cold: [10, '冷水'],
  hot: [20, '热水'],
  power: [30, '电'],
  gas: [40, '燃气'],
  heat: [50, '热量'],
  reclaimed: [60, '中水'],
})

export const meterUse = choiceTable('MeterUse', '用途', {
  household: [1, '户表'],
  common: [2, '公共表'],
  main: [3, '总表'],
  shared: [4, '公摊表'],
})

export const meterState = choiceTable('MeterState', '状态', {
  active: [10, '在用', 'done'],
  stopped: [20, '停用', 'off'],
  replaced: [30, '已更换', 'off'],
  broken: [40, '故障', 'bad'],
})

export const readingState = choiceTable('ReadingState', '状态', {
  open: [10, '未出账', 'todo'],
  billed: [20, '已出账', 'done'],
  abolished: [30, '已作废', 'off'],
})

export const readingSource = choiceTable('ReadingSource', '来源', {
  office: [10, '后台'],
  phone: [20, '手机'],
  imported: [30, '导入'],
  automatic: [40, '自动'],
})

/** MTR-8. Codes are texts: a reading may carry several. */
export const anomaly = choiceTable('AnomalyFlags', '异常', {
  zero: ['zero', '用量为零'],
  high: ['high', '高于近三期均值三倍'],
  jump: ['jump', '高于去年同月两倍'],
  negative: ['negative', '更正后为负'],
  late: ['late', '超出抄表期'],
})

/** MTR-16 */
export const unreadReason = choiceTable('UnreadReason', '未抄原因', {
  nobody: [10, '无人'],
  broken: [20, '表坏'],
  hidden: [30, '遮挡'],
})

/** What one unit is called on bills. */
export const usageUnits = {
  cold: '吨',
  hot: '吨',
  power: '度',
  gas: '方',
  heat: '千瓦时',
  reclaimed: '吨',
} as const

export const prepayMode = choiceTable('PrepayMode', '付费方式', {
  after: [1, '后付费'],
  ahead: [2, '预付费'],
})

export const dayTimeKeys = ['sharp', 'peak', 'flat', 'valley'] as const

/** Times of day as screens and sheets offer them (MTR-15). */
export const dayTimes = { sharp: '尖', peak: '峰', flat: '平', valley: '谷' } as const
