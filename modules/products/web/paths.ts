import type { Id } from '#kit/domain/id.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { listOrders } from '../contract/order.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module stand. */
export const paths = {
  ...modulePaths,
  product: (id: Id): string => `${modulePaths.productDetail}?id=${id}`,
  valueService: (id: Id): string => `${modulePaths.valueServiceDetail}?id=${id}`,
  valueOrder: (product: number, node?: number): string =>
    `${modulePaths.valueServiceOrder}?id=${product}${node ? `&node=${node}` : ''}`,
  pendingOrders: (): string => listLink(modulePaths.orders, listOrders, { state: ['pending'] }),
} as const
