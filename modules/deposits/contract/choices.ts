import { choiceTable } from '#kit/contract/field.ts'

export const depositKind = choiceTable('DepositKind', '押金种类', {
  fitting: [10, '装修押金'],
  lease: [20, '租赁押金'],
  card: [30, '门禁卡押金'],
  other: [90, '其他押金'],
})

/** C6.3 */
export const depositState = choiceTable('DepositState', '押金状态', {
  waiting: [10, '待收', 'todo'],
  received: [20, '已收', 'doing'],
  partRefunded: [30, '部分退还', 'doing'],
  refunded: [40, '已退还', 'done'],
  toIncome: [50, '已转收入', 'off'],
  toPrestore: [60, '已转预存', 'off'],
})

export const depositEntryType = choiceTable('DepositEntryType', '类型', {
  receive: [10, '收取'],
  deduct: [20, '扣款'],
  refund: [30, '退还'],
  income: [40, '转收入'],
  prestore: [50, '转预存'],
})

/** Where a deposit that is not refunded goes. */
export const depositTo = choiceTable('DepositTo', '转到', { income: [10, '收入'], prestore: [20, '预存'] })
