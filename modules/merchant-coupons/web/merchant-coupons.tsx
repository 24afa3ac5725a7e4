import { Button } from 'antd'
import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { usePermission } from '#kit/web/session.ts'
import type { Merchant } from '#modules/merchants/contract/merchant.ts'
import { menu } from '../module.ts'
import { buyPath } from './paths.ts'
import { MerchantStocks } from './stocks.tsx'
import './merchant-coupons.css'

const LinkDialog = lazyComponent(() => import('./link-dialog.tsx').then(m => m.LinkDialog))

/** 停车券 of a merchant: what it has, its purchases, and the link to its own page. */
export function MerchantCoupons({ merchant }: { readonly merchant: Merchant }) {
  const hasPermission = usePermission()
  const [isLinkShown, setLinkShown] = useState(false)
  return (
    <section className="merchant-coupons">
      <p>
        {merchant.state === 'open' && hasPermission(menu.order.permissions.buy) && (
          <Button type="primary" onClick={() => navigateTo(buyPath(merchant.id))}>
            购券
          </Button>
        )}
        {merchant.state !== 'ended' && hasPermission(menu.ticket.permissions.link) && (
          <Button onClick={() => setLinkShown(true)}>商户手机页</Button>
        )}
      </p>
      <MerchantStocks merchantId={merchant.id} />
      {isLinkShown && <LinkDialog merchant={merchant} onClose={() => setLinkShown(false)} />}
    </section>
  )
}
