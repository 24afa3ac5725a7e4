import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

export const couponState = choiceTable('MerchantCouponState', '停车券状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'hold'],
  expired: [30, '已过期', 'off'],
})

export type CouponState = ChoiceOf<typeof couponState>

export const merchantOrderType = choiceTable('MerchantOrderType', '类型', { coupon: [10, '停车券'] })

export const merchantOrderState = choiceTable('MerchantOrderState', '商户订单状态', {
  pending: [10, '待支付', 'todo'],
  paid: [20, '已支付', 'done'],
  cancelled: [30, '已取消', 'off'],
  refunded: [40, '已退款', 'off'],
  partRefunded: [50, '部分退款', 'done'],
})

export type MerchantOrderState = ChoiceOf<typeof merchantOrderState>

export const ticketState = choiceTable('MerchantTicketState', '停车券状态', {
  unused: [10, '未使用', 'todo'],
  used: [20, '已使用', 'done'],
  expired: [30, '已过期', 'off'],
  withdrawn: [40, '已撤回', 'off'],
})

export type TicketState = ChoiceOf<typeof ticketState>

/** One return of coupons: asked for, its money gone back, or given up. */
export const orderReturnState = choiceTable('MerchantOrderReturnState', '退券状态', {
  asked: [10, '退款中', 'todo'],
  done: [20, '已退券', 'done'],
  declined: [30, '未退', 'off'],
})

/** How a plate came to a ticket. */
export const ticketOrigin = choiceTable('MerchantTicketOrigin', '发放方式', {
  plate: [10, '按车牌'],
  code: [20, '固定码'],
  once: [30, '一次性码'],
})

export type TicketOrigin = ChoiceOf<typeof ticketOrigin>

export const stockChange = choiceTable('MerchantStockChange', '变动类型', {
  bought: [10, '购入'],
  presented: [20, '发放'],
  withdrawn: [30, '撤回'],
  expired: [40, '过期'],
  refunded: [50, '退款'],
})

export type StockChange = ChoiceOf<typeof stockChange>
