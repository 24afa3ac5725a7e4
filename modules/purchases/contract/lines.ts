import { decimal, int, lines, money, text, type Fields } from '#kit/contract/field.ts'

export const maxLines = 100

const itemFields = {
  itemName: text('品名', { required: true, max: 60 }),
  spec: text('规格', { max: 60 }),
  unit: text('单位', { required: true, max: 10 }),
}

/** Up to three decimals (STK-2). */
const quantityOf = (label: string) =>
  decimal(label, { required: true, scale: 3, min: 0.001, max: 99_999_999 })

/** Unit prices keep six decimals (G-3); screens show those that are there. */
const priceOf = (label: string) =>
  decimal(label, { required: true, scale: 6, min: 0, max: 99_999_999, unit: '元' })

const total = decimal('数量', { required: true, scale: 3 })
const lineNo = int('行号', { required: true, min: 1, max: maxLines, wire: 'LineNo' })
const amount = money('金额', { required: true })
const priceReason = text('价格原因', { max: 200, help: '单价有变动时填写' })

/** What somebody asks to have bought. */
export const requestLineFields = {
  ...itemFields,
  quantity: quantityOf('数量'),
  price: priceOf('预估单价'),
  remark: text('备注', { max: 100 }),
} as const

/** The same as it is kept, with how far each has come. */
export const purchaseLineFields = {
  lineNo,
  ...itemFields,
  quantity: total,
  price: priceOf('预估单价'),
  amount,
  orderedQuantity: decimal('已下单', { required: true, scale: 3 }),
  receivedQuantity: decimal('已入库', { required: true, scale: 3 }),
  remark: text('备注', { max: 100 }),
} as const

/** What is ordered of a line of the request. */
export const placedLineFields = {
  lineNo,
  quantity: quantityOf('下单数量'),
  price: priceOf('单价'),
  priceReason,
} as const

export const orderLineFields = {
  lineNo,
  ...itemFields,
  quantity: total,
  price: priceOf('单价'),
  priceReason,
  amount,
  receivedQuantity: decimal('已入库', { required: true, scale: 3 }),
} as const

/** What has arrived of a line of the order. */
export const arrivedLineFields = {
  lineNo,
  quantity: quantityOf('收货数量'),
  price: priceOf('实际单价'),
  priceReason,
} as const

/** Below zero in a reversal. */
export const receiptLineFields = {
  lineNo,
  ...itemFields,
  quantity: total,
  price: priceOf('实际单价'),
  priceReason,
  amount,
} as const

const stored = { required: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const

/** Rows that other rows keep: calls of their own take them. */
export const storedLines = <const F extends Fields>(label: string, fields: F) =>
  lines(label, fields, { ...stored, wire: ['LinesJson', 'Lines'] })

export const sentLines = <const F extends Fields>(label: string, fields: F) =>
  lines(label, fields, { required: true, min: 1, max: maxLines, wire: ['Lines', 'LinesJson'] })
