import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { day, flag, idOf, lookup, money, ref, systemChoice, text } from '#kit/contract/field.ts'
import { byIdWithReason, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { orderState } from './choices.ts'
import { orderLineFields, placedLineFields, sentLines, storedLines } from './lines.ts'

/** What is bought from one supplier for one purchase: all of it, or some lines. */
export const purchaseOrder = entity(
  'purchaseOrder',
  '采购订单',
  { table: 'purchase_order', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    orderNo: text('订单号', {
      required: true,
      max: 30,
      searchable: true,
      immutable: true,
      hiddenIn: ['form'],
    }),
    purchaseId: ref('采购', 'purchase', {
      required: true,
      immutable: true,
      wire: 'PurchaseID',
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    purchaseNo: lookup('采购单号', 'purchaseId', 'purchaseNo', { wire: 'PurchaseNo', searchable: true }),
    purchaseTitle: lookup('标题', 'purchaseId', 'title', { wire: 'PurchaseTitle', searchable: true }),
    supplierId: ref('供应商', 'supplier', {
      required: true,
      immutable: true,
      wire: 'SupplierID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    supplierName: lookup('供应商', 'supplierId', 'supplierName', { wire: 'SupplierName', searchable: true }),
    orderDate: day('下单日期', { required: true, hiddenIn: ['form'] }),
    deliverDate: day('要求到货', { required: true }),
    deliverPlace: text('送货地址', { max: 120, hiddenIn: ['table', 'filter'] }),
    buyerId: ref('下单人', 'manager', {
      required: true,
      wire: 'BuyerID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    buyerName: text('下单人', { required: true, max: 40, hiddenIn: ['form', 'filter'] }),
    lines: storedLines('订单明细', orderLineFields),
    amount: money('下单金额', { required: true, hiddenIn: ['form'] }),
    receivedAmount: money('入库金额', { required: true, hiddenIn: ['form', 'filter'] }),
    isAhead: flag('先于审批', {
      required: true,
      help: '紧急采购，批准之前已下单',
      hiddenIn: ['table', 'form'],
    }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    endReason: text('关闭原因', { max: 200, hiddenIn: ['table', 'form', 'filter'] }),
    state: systemChoice('状态', orderState, 'open', { struckOut: ['cancelled'] }),
  },
)

export type PurchaseOrder = Row<typeof purchaseOrder>

const { permissions } = menu.order

export const purchaseOrders = crud(purchaseOrder, {
  path: 'oa/v1/PurchaseOrder',
  permissions,
  operations: ['list', 'get'],
  filters: ['state', 'supplierId', 'buyerId', 'orderDate', 'deliverDate', 'amount', 'isAhead'],
  sums: ['amount', 'receivedAmount'],
})

export const exportOrders = crudExport(purchaseOrders, { needs: permissions.export })

const { supplierId, deliverDate, deliverPlace, remark } = purchaseOrder.fields

/** Lines of a purchase, whole or in part, from one supplier; those of others are ordered apart. */
export const placeOrder = call({
  route: 'POST oa/v1/PurchaseOrder/Post',
  title: '下采购订单',
  needs: permissions.add,
  affects: ['purchaseOrder', 'purchase'],
  input: shape({
    purchaseId: idOf('采购', { required: true, min: 1, wire: 'PurchaseID' }),
    supplierId,
    deliverDate,
    deliverPlace,
    lines: sentLines('下单明细', placedLineFields),
    remark,
  }),
  output: recordOf(purchaseOrder),
})

/** What has not arrived will not: it may be ordered elsewhere. Nothing received: the order is cancelled. */
export const closeOrder = call({
  route: 'POST oa/v1/PurchaseOrder/PostClose',
  title: '关闭采购订单',
  needs: permissions.edit,
  affects: ['purchaseOrder', 'purchase'],
  input: byIdWithReason,
  output: recordOf(purchaseOrder),
})
