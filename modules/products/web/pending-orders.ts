import { listLink } from '#kit/web/list/list-address.ts'
import { listOrders } from '../contract/order.ts'
import { paths } from '../module.ts'

/** The address of the orders that wait for payment. */
export const pendingOrdersLink = (): string => listLink(paths.orders, listOrders, { state: ['pending'] })
