import type { Id } from '#kit/domain/id.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { listOrders } from '../contract/order.ts'

/** Where the screens of this module stand. */
export const paths = {
  renew: '/setting/permission/personcenter/userRenew',
  orders: '/setting/permission/personbilllist',
  products: '/setting/product/Product',
  product: (id: Id): string => `/setting/product/Productdetail?id=${id}`,
  valueServices: '/setting/ValueAddCenter/ValueAddCenter',
  valueService: (id: Id): string => `/setting/ValueAddCenter/ValueAddCenterDetail?id=${id}`,
  valueOrder: (product: number, node?: number): string =>
    `/setting/ValueAddCenter/ValueAddCenterPay?id=${product}${node ? `&node=${node}` : ''}`,
  pendingOrders: (): string =>
    listLink('/setting/permission/personbilllist', listOrders, { state: ['pending'] }),
} as const
