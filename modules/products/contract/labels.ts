import { choiceTable } from '#kit/contract/field.ts'

export const productKind = choiceTable('ProductKind', '产品类别', {
  edition: [10, '软件版本'],
  app: [20, '应用'],
  node: [30, '增值服务'],
  device: [40, '智能设备'],
})

/** What one unit of the price buys; `quote` has no price of its own. */
export const chargeBy = choiceTable('ProductChargeBy', '计价方式', {
  estateMonth: [10, '每项目每月'],
  unitMonth: [20, '每单位每月'],
  piece: [30, '按数量'],
  quote: [40, '按方案报价'],
})

export const nodeType = choiceTable('NodeType', '增值类型', {
  accessPoint: [10, '门禁点'],
  lane: [20, '停车道'],
  sms: [30, '短信'],
  seat: [40, '呼叫坐席'],
})

/** Whether the company has bought a product. */
export const holdingState = choiceTable('ProductHolding', '开通状态', {
  none: [0, '未开通', 'open'],
  open: [10, '已开通', 'done'],
  expired: [20, '到期', 'bad'],
  opening: [30, '开通中', 'doing'],
  off: [40, '已停用', 'off'],
})

export const nodeState = choiceTable('IncrementNodeState', '增值状态', {
  open: [10, '已开通', 'done'],
  expired: [20, '到期', 'bad'],
  opening: [30, '开通中', 'doing'],
})

export const orderState = choiceTable('ProductOrderState', '订单状态', {
  pending: [10, '待支付', 'todo'],
  paid: [20, '已支付', 'done'],
  cancelled: [30, '已取消', 'off'],
  closed: [40, '已关闭', 'off'],
})

/** Codes as payments have them everywhere; the balance is the platform's own. */
export const payMethod = choiceTable('ProductPayMethod', '支付方式', {
  transfer: [30, '银行转账'],
  wechat: [70, '线上微信'],
  alipay: [100, '线上支付宝'],
  balance: [120, '账户余额'],
  other: [250, '其他'],
})

export const accountEntryType = choiceTable('AccountEntryType', '余额变动', {
  topUp: [10, '充值'],
  pay: [20, '支付订单'],
  late: [30, '订单款转入'],
})
