import { choiceTable } from '#kit/contract/field.ts'

export const invoiceType = choiceTable('InvoiceType', '发票类型', {
  normal: [10, '普通发票'],
  special: [20, '专用发票'],
})

export const invoiceMedium = choiceTable('InvoiceMedium', '介质', {
  electronic: [10, '电子'],
  paper: [20, '纸质'],
})

/** What a clerk chooses: type and medium at once. */
export const invoiceKind = choiceTable('InvoiceKind', '票种', {
  eNormal: [10, '电子普票'],
  eSpecial: [20, '电子专票'],
  paper: [30, '纸质普票'],
  paperSpecial: [40, '纸质专票'],
})

export const invoiceChannel = choiceTable('InvoiceChannel', '开票通道', {
  manual: [10, '手工登记'],
  platform: [20, '数电接口'],
})

export const titleType = choiceTable('InvoiceTitleType', '抬头类型', {
  personal: [10, '个人'],
  company: [20, '企业'],
})

/** INV-2: one of the two, never both. */
export const prestoreMode = choiceTable('InvoicePrestoreMode', '预存开票', {
  topUp: [1, '开票于充值'],
  deduct: [2, '开票于冲抵'],
})

/** C7 */
export const invoiceState = choiceTable('InvoiceRecordState', '发票状态', {
  pending: [10, '待开具', 'open'],
  doing: [20, '开具中', 'doing'],
  issued: [30, '已开具', 'done'],
  failed: [40, '开具失败', 'bad'],
  redDue: [50, '待红冲', 'todo'],
  red: [60, '已红冲', 'off'],
  cancelled: [70, '已作废', 'off'],
})

export const goodState = choiceTable('InvoiceGoodState', '状态', {
  on: [1, '启用', 'done'],
  off: [0, '停用', 'off'],
})
