import { call } from '#kit/contract/call.ts'
import { choice, idOf, money, text } from '#kit/contract/field.ts'
import { shape, reasonField } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { refundState, refundWay } from './choices.ts'

/**
 * CYC-9: refunds what was paid for days after the end of a charge, to prestore or to the payer; what is
 * still owed for those days is discounted. Each proposal once.
 */
export const settleEnding = call({
  route: 'PUT finance/v1/Feecenter/PutEndingCredit',
  title: '止收退款或转预存',
  needs: menu.refund.permissions.apply,
  affects: ['billFollowUp', 'feeRefund', 'payRecord', 'bill', 'asset'],
  input: shape({
    id: idOf('待处理账单', { required: true, min: 1, wire: 'ID' }),
    refundWay: choice('退款方式', refundWay, { required: true }),
    reason: reasonField,
  }),
  output: shape({
    amount: money('退款金额', { required: true }),
    discount: money('减免', { required: true }),
    refundNo: text('退款单号'),
    state: choice('退款状态', refundState),
  }),
})
