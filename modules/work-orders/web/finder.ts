import { labelOf } from '#kit/contract/field.ts'
import type { Hit } from '#kit/web/command-palette.ts'
import { send } from '#kit/web/send.ts'
import { orderState } from '../contract/choices.ts'
import { listOrders } from '../contract/order-list.ts'
import { orderPath } from './order-address.ts'

/** An order by its number; by anything else there are too many. */
export async function findOrders(keyword: string, signal: AbortSignal): Promise<readonly Hit[]> {
  if (!/^GD\d{6,}/i.test(keyword.trim())) return []
  const { rows } = await send(listOrders, { keyword, page: 1, size: 5 }, { quiet: true, signal, project: 0 })
  return rows.map((order): Hit => ({
    key: String(order.id),
    title: order.orderNo,
    note: [order.typeName, order.address, order.handlerName].filter(Boolean).join(' · '),
    trailing: labelOf(orderState, order.state),
    path: orderPath(order.id),
    actions: [{ label: '查看工单', path: orderPath(order.id), letter: 'W' }],
  }))
}
