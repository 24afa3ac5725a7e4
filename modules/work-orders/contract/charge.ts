import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  decimal,
  idOf,
  keyRef,
  lines,
  lookup,
  moment,
  money,
  part,
  ref,
  text,
} from '#kit/contract/field.ts'
import { byId, noData, reasonField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { refundState } from '#modules/payments/contract/choices.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { menu } from '../module.ts'
import { chargeKind, chargeLineKind, chargeState, orderState } from './choices.ts'

const { permissions } = menu.charge
const maxPrice = 999_999_999

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** What is typed, or chosen from the price list of the type: three decimals of a quantity (STK-2). */
export const chargeLineInput = {
  lineKind: choice('类别', chargeLineKind, { required: true, wire: ['LineKind', 'Kind'] }),
  name: text('名称', { required: true, max: 40 }),
  unit: text('单位', { max: 10 }),
  quantity: decimal('数量', { required: true, scale: 3, min: 0, max: 999_999, wire: ['Quantity', 'Qty'] }),
  price: money('单价', { required: true, min: 0, max: maxPrice }),
}

/** What a repair or a tip costs (WO-8, WO-9). */
export const charge = entity(
  'workOrderCharge',
  '工单费用',
  { table: 'work_order_charge', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    projectCode: estateField(),
    orderId: ref('工单', 'workOrder', {
      required: true,
      wire: 'OrderID',
      hiddenIn: ['table', 'sheet', 'filter'],
    }),
    orderNo: lookup('工单号', 'orderId', 'orderNo', { searchable: true }),
    address: lookup('位置', 'orderId', 'address', { searchable: true }),
    typeName: lookup('工单类型', 'orderId', 'typeName', { wire: 'TypeName' }),
    reporterName: lookup('报事人', 'orderId', 'reporterName', { searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail', 'sheet'],
    }),
    chargeKind: choice('类型', chargeKind, { required: true, wire: ['ChargeType', 'ChargeKind'] }),
    amount: money('应收', { required: true }),
    discountAmount: money('减免', { required: true, initial: 0 }),
    paidAmount: money('实收', { required: true, initial: 0 }),
    refundingAmount: money('退款中', { derived: true, ...internalOnly }),
    /** The number of a refund that is not completed yet. */
    refundNo: text('退款单号', { derived: true, ...internalOnly }),
    billId: idOf('账单', { wire: 'BillID', ...internalOnly }),
    payOrderId: idOf('支付单', { wire: 'PayOrderID', ...internalOnly }),
    state: choice('状态', chargeState, {
      required: true,
      initial: 'unpaid',
      wire: ['PayState', 'State'],
      struckOut: ['abolished', 'refunded'],
    }),
    chargeTime: moment('产生时间', { required: true }),
    paidTime: moment('支付时间'),
    remindTime: moment('催付时间', { wire: 'UrgeTime' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type Charge = Row<typeof charge>

/** One line of a charge: labour, or a material as it was used. */
export const chargeLine = entity(
  'workOrderChargeLine',
  '工单物料',
  { table: 'work_order_charge_line', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    orderId: ref('工单', 'workOrder', {
      required: true,
      wire: 'OrderID',
      hiddenIn: ['table', 'sheet', 'filter'],
    }),
    orderNo: lookup('工单号', 'orderId', 'orderNo', { searchable: true }),
    typeName: lookup('工单类型', 'orderId', 'typeName', { wire: 'TypeName' }),
    address: lookup('位置', 'orderId', 'address', { searchable: true }),
    handlerName: lookup('处理人', 'orderId', 'handlerName', { wire: 'HandlerName' }),
    buildCode: charge.fields.buildCode,
    chargeId: ref('费用', 'workOrderCharge', { required: true, wire: 'ChargeID', ...internalOnly }),
    ...chargeLineInput,
    name: { ...chargeLineInput.name, searchable: true },
    amount: money('金额', { required: true }),
    useTime: moment('使用时间', { required: true }),
  },
)

export type ChargeLine = Row<typeof chargeLine>

export const chargeLineFields = chargeLine.fields

const basePath = 'workorder/v1/WorkOrderCharge'

export const charges = crud(charge, {
  path: basePath,
  permissions,
  operations: ['list'],
  filters: ['orderId', 'chargeKind', 'state', 'chargeTime', 'paidTime', 'buildCode', 'amount'],
  sums: ['amount', 'discountAmount', 'paidAmount'],
  list: { route: `GET ${basePath}/GetPagedList` },
})
export const { list: listCharges } = charges
export const exportCharges = crudExport(charges, { needs: permissions.export })

/** What was used, with the sums of the filter. */
export const chargeLines = crud(chargeLine, {
  path: `${basePath}/Line`,
  permissions: menu.material.permissions,
  operations: ['list'],
  filters: ['orderId', 'lineKind', 'name', 'useTime', 'buildCode'],
  sums: ['amount'],
  list: { route: `GET ${basePath}/GetMaterialPagedList` },
})
export const exportChargeLines = crudExport(chargeLines, {
  needs: menu.material.permissions.export,
  route: `GET ${basePath}/GetMaterialExport`,
})

/** What is to pay of a cost as the cashier would charge it, and what of the paid is asked back. */
export const chargeMoneyFields = {
  lateFee: money('违约金', { required: true }),
  paidTotal: money('已付', { required: true }),
  dueAmount: money('待付', { required: true }),
  refunds: lines(
    '退款单',
    {
      refundNo: text('退款单号', { required: true }),
      state: choice('状态', refundState, { required: true }),
      amount: money('退款金额', { required: true }),
    },
    { required: true },
  ),
}

const chargeDetail = {
  ...charge.fields,
  orderState: choice('工单状态', orderState, { required: true }),
  lines: lines('费用明细', chargeLineFields, { required: true, wire: 'ItemJson' }),
  payOrder: part('支付单', orderShape.fields),
  billNo: text('账单号'),
  ...chargeMoneyFields,
}

export const getCharge = call({
  route: `GET ${basePath}/GetOne`,
  title: '查看工单费用',
  needs: permissions.view,
  input: byId,
  output: shape(chargeDetail, { entity: 'workOrderCharge' }),
})

/** What a payment, or a bill, of a work order was for: the order, its lines. One of the two ids is given. */
export const getChargeOfBill = call({
  route: 'GET finance/v1/FeeCenter/GetWorkOrderDetailById',
  title: '工单账单明细',
  needs: permissions.view,
  input: shape({
    recordId: idOf('收款记录', { min: 1, wire: ['ID', 'RecordID'] }),
    billId: idOf('账单', { min: 1, wire: 'BillID' }),
  }),
  output: shape(chargeDetail, { entity: 'workOrderCharge' }),
})

const byOrder = {
  orderId: idOf('工单', { required: true, min: 1, wire: ['OrderID', 'ID'] }),
}

/** Makes the bill where there is none, and a pay order that the payment dialog shows (WO-8). */
export const createPaymentOrder = call({
  route: `POST ${basePath}/CreatePaymentOrder`,
  title: '发起工单收款',
  needs: permissions.pay,
  affects: ['workOrderCharge', 'workOrder', 'bill', 'payOrder'],
  input: shape(byOrder),
  output: orderShape,
})

/** A tip after the order is completed (WO-9). */
export const createRewardOrder = call({
  route: `POST ${basePath}/CreateRewardOrder`,
  title: '发起打赏',
  needs: permissions.pay,
  affects: ['workOrderCharge', 'payOrder'],
  input: shape({
    ...byOrder,
    amount: money('金额', { required: true, min: 1, max: 100_000 }),
    remark: text('留言', { max: 200 }),
  }),
  output: orderShape,
})

/** Sends the payer the link to pay by, by short message; once in ten minutes. */
export const remindPayment = call({
  route: 'POST workorder/v1/WorkOrderCharge/PayUrge',
  title: '催付工单费用',
  needs: permissions.pay,
  affects: ['workOrderCharge', 'workOrderRecord'],
  input: shape(byOrder),
  output: noData,
})

/** Gives a paid cost back: through the refunds of the cashier, whole. */
export const refundCharge = call({
  route: `POST ${basePath}/Refund`,
  title: '退还工单费用',
  needs: permissions.refund,
  affects: ['workOrderCharge', 'workOrder', 'workOrderRecord', 'feeRefund', 'bill', 'payRecord'],
  input: shape({ ...byOrder, reason: reasonField }),
  output: recordOf(charge),
})
