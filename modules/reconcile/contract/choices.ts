import { choiceTable } from '#kit/contract/field.ts'

/** CLO-5 */
export const diffType = choiceTable('ReconcileDiff', '差异类型', {
  onlyLocal: [10, '系统有、渠道无', 'bad'],
  onlyChannel: [20, '渠道有、系统无', 'bad'],
  amount: [30, '金额不符', 'bad'],
  state: [40, '状态不符', 'todo'],
  refund: [50, '退款不符', 'todo'],
})

export const reconcileItemState = choiceTable('ReconcileItemState', '处理状态', {
  pending: [10, '待处理', 'todo'],
  settled: [20, '自动平账', 'done'],
  handled: [30, '人工处理', 'done'],
  escalated: [40, '已升级', 'bad'],
})

export const handleResult = choiceTable('ReconcileResult', '处理结果', {
  booked: [10, '已补记收款'],
  refunded: [20, '已退给付款人'],
  channel: [30, '渠道已更正'],
  harmless: [40, '核实无误'],
  other: [90, '其他'],
})

export const channelBillState = choiceTable('ChannelBillState', '对账状态', {
  waiting: [10, '待取账单', 'open'],
  same: [20, '已平', 'done'],
  different: [30, '有差异', 'todo'],
  failed: [40, '获取失败', 'bad'],
})

export const channelBillSource = choiceTable('ChannelBillSource', '账单来源', {
  pulled: [10, '自动获取'],
  imported: [20, '人工导入'],
})

export const tradeKind = choiceTable('ChannelTrade', '交易类型', { pay: [10, '收款'], refund: [20, '退款'] })
