import { choiceTable } from '#kit/contract/field.ts'

/** 0§9; prestore is our own line of a mixed payment (PAY-15, ACC-7). */
export const payMethod = choiceTable('PayMethod', '支付方式', {
  cash: [10, '现金'],
  cheque: [20, '支票'],
  transfer: [30, '银行转账'],
  posOffline: [40, '线下 POS'],
  alipayTransfer: [50, '支付宝转账'],
  wechatTransfer: [60, '微信转账'],
  wechat: [70, '线上微信'],
  posDebit: [80, 'POS借记卡'],
  posCredit: [90, 'POS贷记卡'],
  alipay: [100, '线上支付宝'],
  parkCoupon: [110, '免费停车券'],
  prestore: [200, '预存抵扣'],
  other: [250, '其他'],
})

/** Settles without new money: what was paid in before, or given (ACC-7). In no sum of 实收. */
export const offsetMethods = ['prestore', 'parkCoupon'] as const

/** PAY-2: settled at once, and possible to book for a day gone by (PAY-9). */
export const offlineMethods = [
  'cash',
  'cheque',
  'transfer',
  'posOffline',
  'alipayTransfer',
  'wechatTransfer',
  'other',
] as const

export const payType = choiceTable('PayType', '支付通道', {
  scanner: [1, '扫码枪'],
  account: [2, '公众号'],
  mini: [3, '小程序'],
  qr: [4, '收款码'],
  pos: [6, 'POS 刷卡'],
})

/**
 * The groups of the payment dialog (0§9). They are not the methods of a record: the dialog says how the money
 * is asked for, the record by what it came.
 */
export const payGroup = choiceTable('PayGroup', '收款方式', {
  qr: [70, '收款码'],
  scan: [100, '扫码枪'],
  pos: [80, 'POS 刷卡'],
  offline: [60, '线下'],
})

/** The codes of the payment dialog for one way (0§9). */
export const paymentType = choiceTable('PaymentType', '支付类型', {
  qr: [70, '收款码'],
  scanner: [75, '扫码枪'],
  pos: [80, 'POS 刷卡'],
  posOffline: [40, '线下 POS'],
})

/** The one mapping from the dialog's codes to its groups. */
export const groupOfPaymentType: Readonly<Record<keyof typeof paymentType.rows, keyof typeof payGroup.rows>> =
  { qr: 'qr', scanner: 'scan', pos: 'pos', posOffline: 'pos' }

export const orderType = choiceTable('OrderType', '业务类型', {
  sms: [1, '短信'],
  renewal: [2, '续费'],
  bill: [3, '物业账单'],
  parking: [4, '停车'],
  charging: [5, '充电'],
  merchant: [6, '商户'],
  prestore: [7, '预存'],
  workOrder: [8, '工单'],
  activity: [9, '活动'],
})

/** C5.1 */
export const orderState = choiceTable('PayOrderState', '支付单状态', {
  waiting: [10, '待支付', 'open'],
  paying: [60, '支付中', 'doing'],
  paid: [20, '已支付', 'done'],
  closed: [30, '已关闭', 'off'],
  failed: [40, '支付失败', 'bad'],
  refunded: [50, '已退款', 'off'],
})

export const notifySource = choiceTable('NotifySource', '确认来源', {
  notified: [10, '回调'],
  asked: [20, '查询'],
  manual: [30, '人工'],
  offline: [40, '线下'],
})

export const channel = choiceTable('PayChannel', '渠道', {
  wechat: [10, '微信支付'],
  alipay: [20, '支付宝'],
  pos: [30, 'POS'],
})

/** C5.3 */
export const recordType = choiceTable('RecordType', '记录类型', {
  payment: [10, '收款'],
  refund: [20, '退款'],
  prestore: [30, '预存'],
  deposit: [40, '押金'],
  deduction: [50, '冲抵'],
})

export const recordState = choiceTable('PayRecordState', '收款状态', {
  normal: [10, '正常', 'done'],
  partRefunded: [20, '部分退款', 'todo'],
  refunded: [30, '已退款', 'off'],
  voided: [40, '已作废', 'off'],
})

/** C6.1 */
export const refundState = choiceTable('FeeRefundState', '退款状态', {
  pending: [10, '待审核', 'todo'],
  approving: [15, '审批中', 'doing'],
  doing: [20, '处理中', 'doing'],
  done: [30, '已退款', 'done'],
  rejected: [40, '已驳回', 'off'],
  cancelled: [50, '已取消', 'off'],
  failed: [60, '退款失败', 'bad'],
})

/** What a refund gives back: money paid for bills, or what is in an account or a deposit. */
export const refundSubject = choiceTable('RefundSubject', '退款内容', {
  bills: [10, '账单'],
  prestore: [20, '预存'],
  deposit: [30, '押金'],
})

export const refundWay = choiceTable('RefundWay', '退款方式', {
  original: [10, '原路退回'],
  cash: [20, '现金'],
  transfer: [30, '银行转账'],
  prestore: [40, '转预存'],
})

export const handoverState = choiceTable('HandoverState', '交账状态', {
  pending: [10, '待确认', 'todo'],
  confirmed: [20, '已确认', 'done'],
  rejected: [30, '已驳回', 'bad'],
})
