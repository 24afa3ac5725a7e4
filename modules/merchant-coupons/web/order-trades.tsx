import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { useTradeLinks } from '#modules/payments/web/public.trade-screens.ts'
import { orderSpec, orderViews } from './order-spec.tsx'
import { merchantOrders } from '../contract/order.ts'
import { paths } from './paths.ts'

const { model } = crudPages(merchantOrders, orderSpec)

/** 停车券订单交易详情: what merchants paid for coupons, and what was kept of it. */
export default function OrderTradesPage() {
  const links = useTradeLinks(paths.orderTrades)
  return (
    <CrudList
      model={model}
      list={{
        keywordPlaceholder: '订单号、商户',
        barFilters: ['merchantId', 'payTime', 'payMethod'],
        views: orderViews,
        toolbarActions: links,
      }}
    />
  )
}
