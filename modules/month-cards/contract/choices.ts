import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

export const monthOrderState = choiceTable('MonthOrderState', '月卡订单状态', {
  pending: [10, '待支付', 'todo'],
  paid: [20, '已支付', 'done'],
  cancelled: [30, '已取消', 'off'],
  refunded: [40, '已退款', 'off'],
})

export type MonthOrderState = ChoiceOf<typeof monthOrderState>
