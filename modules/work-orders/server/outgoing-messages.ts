import { defineMessageSource } from '#modules/messaging/server/public.ts'

/** What work orders send to people outside, at the cost of the company's quota. */
export const orderMessages = {
  payment: defineMessageSource({ key: 'workOrders.payment', label: '工单催付', purpose: 'service' }),
  warning: defineMessageSource({ key: 'workOrders.warning', label: '工单预警', purpose: 'service' }),
} as const
