import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, idOf, int, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { phoneField } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'
import { chargeMode, orderState, stopReason } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** One charge at a port, from its payment to its refund (C20). */
export const chargerOrder = entity(
  'chargerOrder',
  '充电订单',
  { table: 'charger_order', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    projectCode: estateField(),
    orderNo: text('订单', { required: true, max: 30, searchable: true, hiddenIn: ['filter'] }),
    hubId: ref('充电桩', 'chargerHub', {
      required: true,
      wire: 'HubID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    hubName: lookup('充电桩', 'hubId', 'hubName', { wire: 'HubName' }),
    hubNo: text('桩号', { required: true, max: 30, searchable: true, hiddenIn: ['filter'] }),
    portId: idOf('端口编号', { required: true, wire: 'PortID', ...internalOnly }),
    portNo: int('端口', { required: true, hiddenIn: ['filter'] }),
    mobile: phoneField('手机', { wire: 'Mobile', hiddenIn: ['filter'] }),
    chargeMode: choice('计费方式', chargeMode, { required: true }),
    standardName: text('收费标准', { required: true, max: 60, ...inDetail }),
    orderTime: moment('下单时间', { required: true, wire: 'OrderTime' }),
    payTime: moment('支付时间', { ...inDetail }),
    beginTime: moment('开始'),
    endTime: moment('结束', { hiddenIn: ['filter'] }),
    energyKwh: decimal('电量', { scale: 4, unit: '度', hiddenIn: ['filter'] }),
    minutes: int('时长', { unit: '分钟', hiddenIn: ['filter'] }),
    elecFee: money('电费', { required: true, ...inDetail, help: '按时长、包时计费的为充电费' }),
    serviceFee: money('服务费', { required: true, ...inDetail }),
    idleFee: money('占位费', { required: true, ...inDetail }),
    prepaidAmount: money('预付', { required: true }),
    paidAmount: money('已付', { required: true, wire: 'PaidAmount' }),
    realAmount: money('实付', { required: true, help: '不超过预付' }),
    refundAmount: money('退款', { required: true }),
    stopReason: choice('停止原因', stopReason),
    failReason: text('说明', { max: 200, ...inDetail }),
    payOrderId: idOf('支付单', { wire: 'PayOrderID', ...internalOnly }),
    billId: idOf('账单', { wire: 'BillID', ...internalOnly }),
    refundId: idOf('退款单', { wire: 'RefundID', ...internalOnly }),
    state: choice('状态', orderState, {
      required: true,
      initial: 'waiting',
      struckOut: ['closed'],
    }),
  },
)

export type ChargerOrder = Row<typeof chargerOrder>

const { permissions } = menu.order

export const chargerOrders = crud(chargerOrder, {
  path: 'charger/v1/Order',
  permissions,
  operations: ['list', 'get'],
  filters: ['hubId', 'orderTime', 'beginTime', 'chargeMode', 'stopReason', 'realAmount', 'state'],
  search: { mobile: text('手机', { max: 20, wire: 'Mobile' }) },
  sums: ['energyKwh', 'paidAmount', 'realAmount', 'refundAmount'],
})

export const { list: listChargerOrders, get: getChargerOrder } = chargerOrders

export const exportChargerOrders = crudExport(chargerOrders, { needs: permissions.export })

/** The charge that a bill is for. */
export const getChargerOrderOfBill = call({
  route: 'GET finance/v1/FeeCenter/GetElectroCarChargeDetailById',
  title: '账单的充电明细',
  needs: permissions.view,
  input: byId,
  output: recordOf(chargerOrder),
})

/** Sends the pile a stop; the order ends when it reports that it has stopped. */
export const stopChargerOrder = call({
  route: 'POST charger/v1/Order/PostStop',
  title: '停止充电',
  needs: permissions.stop,
  affects: ['chargerOrder'],
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(chargerOrder),
})
