import { listLink } from '#kit/web/list/query.ts'
import { listOrders } from '../contract/order.ts'

/** Where the screens of this module stand. */
export const places = {
  renew: '/setting/permission/personcenter/userRenew',
  bills: '/setting/permission/personbilllist',
  products: '/setting/product/Product',
  product: (id: number): string => `/setting/product/Productdetail?id=${id}`,
  values: '/setting/ValueAddCenter/ValueAddCenter',
  value: (id: number): string => `/setting/ValueAddCenter/ValueAddCenterDetail?id=${id}`,
  pay: (product: number, node?: number): string =>
    `/setting/ValueAddCenter/ValueAddCenterPay?id=${product}${node ? `&node=${node}` : ''}`,
  pending: (): string => listLink('/setting/permission/personbilllist', listOrders, { state: ['pending'] }),
} as const
