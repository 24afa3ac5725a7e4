import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, decimal, idOf, int, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { monthOrderState } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const inDetail = { hiddenIn: ['table', 'filter'] } as const

/** Months of a right to enter that are sold to a car (PRK-4). Its bill holds the money. */
export const monthOrder = entity(
  'monthOrder',
  '月卡订单',
  { table: 'park_month_order', tenancy: 'project', title: 'plateNo', order: ['-id'] },
  {
    projectCode: estateField(),
    carId: ref('车辆', 'car', { required: true, wire: 'CarID', hiddenIn: ['table', 'sheet', 'detail'] }),
    plateNo: text('车牌', { required: true, max: 20, searchable: true, wire: 'PlateNo' }),
    ownerName: lookup('车主', 'carId', 'ownerName', { wire: 'OwnerName' }),
    months: int('月数', { required: true, min: 1, max: 24 }),
    unitPrice: decimal('月单价', { required: true, scale: 6 }),
    feeStandardId: idOf('月租标准', { required: true, wire: 'FeeStandardID', ...internalOnly }),
    feeStandardName: text('月租标准', { required: true, max: 60, wire: 'FeeStandardName', ...inDetail }),
    oldBegin: day('原起', inDetail),
    oldEnd: day('原到期', { hiddenIn: ['filter'] }),
    newBegin: day('新起', { required: true, hiddenIn: ['filter'] }),
    newEnd: day('新到期', { required: true }),
    anchorDay: int('起始日', { required: true, ...internalOnly }),
    /** The last day that the car has of this order now; none while it has nothing of it. */
    grantedEnd: day('已生效至', { ...inDetail }),
    amount: money('金额', { required: true }),
    /** What a refunded order has kept counts. */
    paidAmount: money('实收', { required: true, countsStruckOut: true }),
    billId: idOf('账单', { wire: 'BillID', ...internalOnly }),
    payOrderId: idOf('支付单', { wire: 'PayOrderID', ...internalOnly }),
    /** The refund of the days that are not used, and the first of them. */
    refundId: idOf('退款单', { wire: 'RefundID', ...internalOnly }),
    refundFrom: day('退款起', internalOnly),
    orderTime: moment('下单时间', { required: true, wire: 'OrderTime' }),
    paidTime: moment('支付时间', { hiddenIn: ['filter'] }),
    operatorName: text('操作人', { max: 40, hiddenIn: ['filter'] }),
    reason: text('原因', { max: 200, ...inDetail }),
    state: choice('状态', monthOrderState, {
      required: true,
      initial: 'pending',
      struckOut: ['cancelled', 'refunded'],
    }),
  },
)

export type MonthOrder = Row<typeof monthOrder>

export const monthOrders = crud(monthOrder, {
  path: 'ParkMonthOrder',
  permissions: menu.order.permissions,
  operations: ['list', 'get'],
  filters: ['carId', 'plateNo', 'state', 'newEnd', 'amount', 'orderTime'],
  sums: ['amount', 'paidAmount'],
})

export const { list: listMonthOrders, get: getMonthOrder } = monthOrders

export const exportMonthOrders = crudExport(monthOrders, { needs: menu.order.permissions.export })

/** What changes with money for a car's months. */
export const affectedByMonthOrders = [
  'monthOrder',
  'car',
  'carValidity',
  'bill',
  'payOrder',
  'feeRefund',
  'payRecord',
]

export const cancelMonthOrder = call({
  route: 'PUT ParkMonthOrder/PutCancel',
  title: '取消月卡订单',
  needs: menu.order.permissions.cancel,
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(monthOrder),
  affects: affectedByMonthOrders,
})
