import { registerDependentRows } from '#kit/server/dependents.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import type { Merchant } from '#modules/merchants/contract/merchant.ts'
import type { Park } from '#modules/parking/contract/park.ts'
import { merchantOrderState, ticketState } from '../contract/choices.ts'

registerDependentRows('merchant', {
  label: '待支付、已支付的停车券订单',
  table: 'merchant_order',
  where: (m: Merchant) =>
    sql`merchant_id = ${m.id} and state in ${codes(merchantOrderState, 'pending', 'paid', 'partRefunded')}`,
})

registerDependentRows('merchant', {
  label: '有结余的停车券',
  table: 'merchant_coupon_stock',
  where: (m: Merchant) => sql`merchant_id = ${m.id} and balance > 0`,
})

registerDependentRows('merchant', {
  label: '未使用的停车券',
  table: 'merchant_parking_ticket',
  where: (m: Merchant) => sql`merchant_id = ${m.id} and state = ${code(ticketState, 'unused')}`,
})

registerDependentRows('park', {
  label: '停车券',
  table: 'merchant_parking_coupon',
  where: (p: Park) => sql`park_id = ${p.id} and ${notDeleted()}`,
})

registerDependentRows('feeItem', {
  label: '停车券',
  table: 'merchant_parking_coupon',
  where: (item: FeeItem) => sql`fee_item_id = ${item.id} and ${notDeleted()}`,
})
