import { call } from '#kit/contract/call.ts'
import { choice, day, decimal, flag, int, lines, money, ref, text } from '#kit/contract/field.ts'
import { byId, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { refundWay } from '#modules/payments/contract/choices.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { menu } from '../module.ts'
import { affectedByMonthOrders, monthOrder } from './month-order.ts'

const { permissions } = menu.order

const carIdField = ref('车辆', 'car', { required: true, wire: ['CarID', 'CarId'] })

const monthsField = int('月数', { required: true, min: 1, max: 24, initial: 1, wire: ['Months', 'MonthNum'] })

/** What the screen showed; another amount by now is refused (PAY-1). */
const expectAmountField = money('应收', { required: true, min: 0, wire: ['ExpectAmount', 'Amount'] })

/** What months for a car would cost, and until when it may enter with them. */
export const quoteRenewal = call({
  route: 'GET Car/GetRenewal',
  title: '月卡续费试算',
  needs: permissions.renew,
  input: shape({ carId: carIdField, months: monthsField }),
  output: shape(
    {
      plateNo: text('车牌', { required: true, max: 20, wire: 'PlateNo' }),
      feeStandardName: text('月租标准', { required: true, max: 60 }),
      unitPrice: decimal('月单价', { required: true, scale: 6 }),
      oldEnd: day('原到期'),
      newBegin: day('新起', { required: true }),
      newEnd: day('新到期', { required: true }),
      amount: money('金额', { required: true }),
    },
    { entity: 'monthOrder' },
  ),
})

const renewalInput = shape({ carId: carIdField, months: monthsField, expectAmount: expectAmountField })

/** Makes the order and its bill, to be paid at the cashier. */
export const renewCar = call({
  route: 'POST Car/PostRenew',
  title: '月卡续费',
  needs: permissions.renew,
  input: renewalInput,
  output: recordOf(monthOrder),
  affects: affectedByMonthOrders,
})

/** The same with a pay order for the phone; an order that waits for the same months is paid by it. */
export const prepayMonthCard = call({
  route: 'POST Car/PostPrePay',
  title: '月卡扫码支付',
  needs: permissions.renew,
  input: renewalInput,
  output: orderShape,
  affects: affectedByMonthOrders,
})

/** The pay order that a car's months are waiting for, as it is now. */
export const getCarPayOrder = call({
  route: 'GET Car/GetPayOrder',
  aliases: ['Car/GetPayOrder_PayCenter'],
  title: '车辆月卡的支付单',
  needs: permissions.view,
  input: shape({ carId: carIdField }),
  output: orderShape,
})

/** PRK-5: the days that are not used, and what they give back. */
export const quoteRefund = call({
  route: 'GET ParkMonthOrder/GetRefund',
  title: '月卡退款试算',
  needs: permissions.refund,
  input: byId,
  output: shape(
    {
      refundFrom: day('退款起', { required: true }),
      newEnd: day('退款止', { required: true }),
      days: int('未用天数', { required: true }),
      amount: money('可退', { required: true }),
      isWhole: flag('全部未用', { required: true }),
      /** Of each order: those that came after it go back with an earlier one, the newest first. */
      parts: lines(
        '明细',
        {
          refundFrom: day('退款起', { required: true }),
          newEnd: day('退款止', { required: true }),
          days: int('未用天数', { required: true }),
          amount: money('可退', { required: true }),
        },
        { required: true, wire: 'Parts' },
      ),
    },
    { entity: 'monthOrder' },
  ),
})

export const refundMonthOrder = call({
  route: 'PUT ParkMonthOrder/PutRefund',
  title: '月卡退款',
  needs: permissions.refund,
  input: shape({
    id: recordIdField,
    fee: money('手续费', { min: 0, initial: 0, help: '从可退金额中扣除' }),
    refundWay: choice('退款方式', refundWay, { required: true, initial: 'original' }),
    reason: reasonField,
  }),
  output: recordOf(monthOrder),
  affects: affectedByMonthOrders,
})

/** The order that a bill of a car is for. */
export const getMonthCarDetail = call({
  route: 'GET finance/v1/FeeCenter/GetMonthCarDetailById',
  title: '账单的月卡明细',
  needs: permissions.view,
  input: byId,
  output: recordOf(monthOrder),
})
