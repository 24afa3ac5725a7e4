import { createRefSource } from '#kit/web/refs.ts'
import { listOrders } from '../../contract/order-list.ts'

/** Orders by number, place or title. */
export default createRefSource(listOrders, {
  value: row => row.id,
  label: row => row.orderNo,
  note: row => [row.typeName, row.address].filter(Boolean).join(' · '),
})
