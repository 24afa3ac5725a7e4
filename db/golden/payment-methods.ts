import type { PayMethod } from '#modules/payments/server/tenders.ts'

/** Methods of paying at the counter, as often as they are taken. */
export const payMethods: readonly PayMethod[] = [
  'cash',
  'wechatTransfer',
  'transfer',
  'cash',
  'alipayTransfer',
  'posOffline',
  'cash',
  'wechatTransfer',
]
