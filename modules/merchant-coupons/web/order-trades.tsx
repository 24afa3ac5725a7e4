import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { useTradeLinks } from '#modules/payments/web/public.trade-screens.ts'
import { orderViews, pages } from './orders.tsx'
import { paths } from './paths.ts'

/** 停车券订单交易详情: what merchants paid for coupons, and what was kept of it. */
export default function OrderTradesPage() {
  const links = useTradeLinks(paths.orderTrades)
  return (
    <CrudList
      model={pages.model}
      list={{
        keywordPlaceholder: '订单号、商户',
        barFilters: ['merchantId', 'payTime', 'payMethod'],
        views: orderViews,
        toolbarActions: links,
      }}
    />
  )
}
