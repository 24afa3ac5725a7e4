import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  flag,
  lines,
  list,
  lookup,
  moment,
  money,
  ref,
  systemChoice,
  text,
} from '#kit/contract/field.ts'
import { byId, draftOf, extendShape, pageOf, recordOf } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { processInstance } from '#modules/approvals/contract/instance.ts'
import { menu } from '../module.ts'
import { approvalWay, purchaseState } from './choices.ts'
import { purchaseLineFields, requestLineFields, sentLines, storedLines } from './lines.ts'
import { purchaseOrder } from './order.ts'
import { purchaseReceipt } from './receipt.ts'

const written = { immutable: true, hiddenIn: ['form'] } as const
const outOfForm = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
const inDetail = { hiddenIn: ['table', 'filter', 'sheet'] } as const

export const maxFiles = 9

/** Asked for, approved, ordered and received (C16). */
export const purchase = entity(
  'purchase',
  '采购',
  { table: 'purchase', tenancy: 'project', title: 'purchaseNo', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    purchaseNo: text('单号', { required: true, max: 30, searchable: true, wire: 'PurchaseNo', ...written }),
    title: text('标题', { required: true, max: 80, searchable: true }),
    applicantId: ref('申请人', 'manager', {
      required: true,
      wire: 'ApplicantID',
      immutable: true,
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    applicantName: text('申请人', {
      required: true,
      max: 40,
      searchable: true,
      hiddenIn: ['form', 'filter'],
    }),
    departmentId: ref('部门', 'department', {
      wire: 'DepartmentID',
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    departmentName: lookup('部门', 'departmentId', 'name', { wire: 'DepartmentName' }),
    needDate: day('需求日期', { required: true }),
    purpose: text('用途', { required: true, min: 2, max: 500, hiddenIn: ['table', 'filter'] }),
    isUrgent: flag('紧急', { required: true, initial: false }),
    urgentReason: text('紧急原因', { max: 200, ...inDetail }),
    supplierId: ref('意向供应商', 'supplier', {
      wire: 'SupplierID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    supplierName: lookup('意向供应商', 'supplierId', 'supplierName', {
      wire: 'SupplierName',
      hiddenIn: ['table'],
    }),
    lines: storedLines('明细', purchaseLineFields),
    /** Names of the items: what the keyword finds a purchase by. */
    itemNames: text('品名', {
      required: true,
      max: 8000,
      searchable: true,
      hiddenIn: ['form', 'filter', 'detail'],
    }),
    totalAmount: money('预估金额', { required: true, hiddenIn: ['form'] }),
    orderedAmount: money('订单金额', { required: true, hiddenIn: ['form'], countsStruckOut: true }),
    receivedAmount: money('入库金额', { required: true, hiddenIn: ['form'], countsStruckOut: true }),
    attachments: list('附件', { max: maxFiles, holdsFiles: true, wire: 'Attachments', ...inDetail }),
    /** For one in approval: it came back and waits to be amended and sent in again (APR-4). */
    isReturned: flag('已退回', {
      required: true,
      initial: false,
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    returnReason: text('退回原因', { max: 500, ...outOfForm }),
    /** In approval, nobody has decided, nothing is ordered ahead: the applicant may take it back (APR-4). */
    isWithdrawable: flag('可撤回', {
      derived: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    way: choice('审批方式', approvalWay, { hiddenIn: ['table', 'form'] }),
    submitTime: moment('提交时间', { hiddenIn: ['form', 'table'] }),
    approverName: text('批准人', { max: 40, hiddenIn: ['table', 'form', 'filter'] }),
    approveTime: moment('批准时间', { hiddenIn: ['form', 'table', 'filter'] }),
    endReason: text('驳回、取消或关闭原因', { max: 200, hiddenIn: ['table', 'form', 'filter'] }),
    closeTime: moment('关闭时间', { hiddenIn: ['table', 'form', 'filter'] }),
    /** Approved, or urgent and allowed to go ahead, and not yet ordered whole. */
    awaitsOrder: flag('待下单', { required: true, hiddenIn: ['table', 'form', 'sheet', 'detail'] }),
    state: systemChoice('状态', purchaseState, 'draft', { struckOut: ['refused', 'cancelled'] }),
  },
)

export type Purchase = Row<typeof purchase>

const computed = [
  'purchaseNo',
  'applicantId',
  'applicantName',
  'departmentId',
  'lines',
  'itemNames',
  'totalAmount',
  'orderedAmount',
  'receivedAmount',
  'isReturned',
  'returnReason',
  'way',
  'submitTime',
  'approverName',
  'approveTime',
  'endReason',
  'closeTime',
  'awaitsOrder',
  'state',
] as const

const filters = [
  'state',
  'isUrgent',
  'needDate',
  'applicantId',
  'departmentId',
  'supplierId',
  'totalAmount',
  'submitTime',
  'way',
  'isReturned',
  'awaitsOrder',
] as const

const sums = ['totalAmount', 'orderedAmount', 'receivedAmount'] as const

export const purchases = crud(purchase, {
  path: 'oa/v1/Purchases',
  permissions: menu.purchase.permissions,
  operations: ['list'],
  filters,
  sums,
  list: { route: 'GET oa/v1/Purchases/GetPagedListForAdmin' },
})

export const exportPurchases = crudExport(purchases, { needs: menu.purchase.permissions.export })

const { projectCode: _project, purchaseId: _purchase, ...orderFields } = purchaseOrder.fields
const { projectCode: _ofProject, purchaseId: _ofPurchase, ...receiptFields } = purchaseReceipt.fields

/** A purchase with all that was ordered and received for it. */
const detail = extendShape(recordOf(purchase), {
  orders: lines('采购订单', orderFields, { required: true }),
  receipts: lines('收货记录', receiptFields, { required: true }),
})

export type PurchaseDetail = NonNullable<typeof detail.T>

export const getPurchase = call({
  route: 'GET oa/v1/Purchases/GetOneDetail',
  title: '查看采购',
  needs: menu.purchase.permissions.view,
  input: byId,
  output: detail,
})

/** What the operator asked for, wherever their data domain ends. */
export const listOwnPurchases = call({
  route: 'GET oa/v1/Purchases/GetOwnList',
  title: '我的采购',
  needs: menu.request.permissions.view,
  input: purchases.list.input,
  output: pageOf(purchase, { sums }),
})

export const getOwnPurchase = call({
  route: 'GET oa/v1/Purchases/GetOwnDetail',
  title: '查看我的采购',
  needs: menu.request.permissions.view,
  input: byId,
  output: detail,
})

export const chosenField = processInstance.fields.chosen

/**
 * Adds without an id; with one changes a draft, a refused or a returned request of the operator, or one that
 * is approved and not ordered, which is then approved again. With `submits` it is
 * sent in at once: nothing is kept where that is refused.
 */
export const savePurchase = call({
  route: 'POST oa/v1/Purchases/Save',
  title: '保存采购申请',
  needs: menu.request.permissions.add,
  affects: ['purchase', 'processInstance'],
  input: extendShape(draftOf(purchase, computed), {
    lines: sentLines('采购明细', requestLineFields),
    submits: flag('保存后提交', { required: true, initial: false, help: '关闭则只保存，暂不提交' }),
    chosen: chosenField,
  }),
  output: recordOf(purchase),
})
