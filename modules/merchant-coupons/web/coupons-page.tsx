import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { menu } from '../module.ts'

const waiting = <RowSkeleton rows={8} />
const Coupons = lazyComponent(() => import('./coupons.tsx').then(m => m.Coupons), waiting)
const Orders = lazyComponent(() => import('./orders.tsx').then(m => m.Orders), waiting)
const Stocks = lazyComponent(() => import('./stocks.tsx').then(m => m.Stocks), waiting)
const StockRecords = lazyComponent(() => import('./stocks.tsx').then(m => m.StockRecords), waiting)
const Settlements = lazyComponent(() => import('./settlements.tsx').then(m => m.Settlements), waiting)

const tabs = [
  { key: 'coupons', label: '停车券', needs: menu.coupon.permissions.view, children: <Coupons /> },
  { key: 'orders', label: '商户订单', needs: menu.order.permissions.view, children: <Orders /> },
  { key: 'stocks', label: '商户库存', needs: menu.stock.permissions.view, children: <Stocks /> },
  { key: 'records', label: '库存流水', needs: menu.stock.permissions.view, children: <StockRecords /> },
  { key: 'settlements', label: '商户结算', needs: menu.order.permissions.view, children: <Settlements /> },
]

/** 停车券: what is sold to merchants, what they bought, have and owe. */
export default function CouponsPage() {
  return <PageTabs tabs={tabs} />
}
