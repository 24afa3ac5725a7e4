import { useSearchParams } from 'react-router'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ShopOpened } from './shop-opened.tsx'

const MerchantPage = lazyComponent(() => import('./merchant-page.tsx').then(m => m.MerchantPage))

/** 商户停车券: the page of a merchant on a phone, by its link, or by an account of it. */
export default function ShopPage() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  return token === '' ? <MerchantPage /> : <ShopOpened token={token} key={token} />
}
