import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, list, lookup, money, ref, text } from '#kit/contract/field.ts'
import { byIdWithReason, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { receiptKind } from './choices.ts'
import { arrivedLineFields, receiptLineFields, sentLines, storedLines } from './lines.ts'

const internal = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** One delivery, or its reversal; neither is ever changed (STK-1). */
export const purchaseReceipt = entity(
  'purchaseReceipt',
  '收货记录',
  { table: 'purchase_receipt', tenancy: 'project', title: 'receiptNo', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    receiptNo: text('收货单号', {
      required: true,
      max: 30,
      searchable: true,
      immutable: true,
      hiddenIn: ['form'],
    }),
    kind: choice('类型', receiptKind, { required: true, immutable: true, hiddenIn: ['form'] }),
    purchaseId: ref('采购', 'purchase', { required: true, immutable: true, wire: 'PurchaseID', ...internal }),
    orderId: ref('采购订单', 'purchaseOrder', {
      required: true,
      immutable: true,
      wire: 'OrderID',
      ...internal,
    }),
    orderNo: lookup('订单号', 'orderId', 'orderNo', { wire: 'OrderNo', searchable: true }),
    supplierId: ref('供应商', 'supplier', {
      required: true,
      immutable: true,
      wire: 'SupplierID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    supplierName: lookup('供应商', 'supplierId', 'supplierName', { wire: 'SupplierName', searchable: true }),
    receiveDate: day('收货日期', { required: true, immutable: true }),
    deliveryNo: text('送货单号', { max: 40, searchable: true, immutable: true }),
    receiverId: ref('收货人', 'manager', {
      required: true,
      immutable: true,
      wire: 'ReceiverID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    receiverName: text('收货人', { required: true, max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    lines: storedLines('收货明细', receiptLineFields),
    amount: money('入库金额', { required: true, immutable: true, hiddenIn: ['form'] }),
    attachments: list('附件', {
      max: 9,
      holdsFiles: true,
      immutable: true,
      wire: 'Attachments',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    remark: text('备注', { max: 200, immutable: true, hiddenIn: ['filter'] }),
    reverseOf: ref('冲销的收货', 'purchaseReceipt', { immutable: true, wire: 'ReverseOf', ...internal }),
    reversedNo: lookup('冲销单号', 'reverseOf', 'receiptNo', { wire: 'ReversedNo' }),
    isReversed: flag('已冲销', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type PurchaseReceipt = Row<typeof purchaseReceipt>

const { permissions } = menu.receipt

export const purchaseReceipts = crud(purchaseReceipt, {
  path: 'oa/v1/PurchaseReceipt',
  permissions,
  operations: ['list'],
  filters: ['kind', 'supplierId', 'receiverId', 'receiveDate', 'amount'],
  sums: ['amount'],
})

export const exportReceipts = crudExport(purchaseReceipts, { needs: permissions.export })

const { receiveDate, deliveryNo, attachments, remark } = purchaseReceipt.fields

/** A delivery of an order: of some of its lines, whole or in part (STK-4). */
export const receiveOrder = call({
  route: 'POST oa/v1/PurchaseReceipt/Post',
  title: '采购收货',
  needs: permissions.add,
  affects: ['purchaseReceipt', 'purchaseOrder', 'purchase'],
  input: shape({
    orderId: idOf('采购订单', { required: true, min: 1, wire: 'OrderID' }),
    receiveDate,
    deliveryNo,
    lines: sentLines('收货明细', arrivedLineFields),
    attachments,
    remark,
  }),
  output: recordOf(purchaseReceipt),
})

/** Takes a delivery back whole by a document of its own: what it had brought is awaited again. */
export const reverseReceipt = call({
  route: 'POST oa/v1/PurchaseReceipt/PostReverse',
  title: '冲销收货',
  needs: permissions.reverse,
  affects: ['purchaseReceipt', 'purchaseOrder', 'purchase'],
  input: byIdWithReason,
  output: recordOf(purchaseReceipt),
})
