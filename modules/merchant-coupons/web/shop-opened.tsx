import { useEffect, useState, type ReactNode } from 'react'
import { queryClient, queryKeyOf, useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { openShop, type ShopPage } from '../contract/shop.ts'
import { describeProblem, Head, Placeholder } from './phone-frame.tsx'
import { ShopBuy } from './shop-buy.tsx'
import { ShopMonth } from './shop-month.tsx'
import { ShopPresent } from './shop-present.tsx'

const title = '商户停车券'

export interface ShopPartProps {
  readonly token: string
  readonly page: ShopPage
  readonly run: (action: () => Promise<ShopPage>, doneText: string) => Promise<boolean>
}

const tabs = [
  { key: 'present', label: '发券', Part: ShopPresent },
  { key: 'month', label: '记录', Part: ShopMonth },
  { key: 'buy', label: '购券', Part: ShopBuy },
] as const

type TabKey = (typeof tabs)[number]['key']

interface ShopOpenedProps {
  readonly token: string
  /** Below it: the account of a sign-in. */
  readonly foot?: ReactNode
  /** Something was refused: perhaps the sign-in has ended. */
  readonly onFault?: () => void
}

/** The page of the merchant behind a token, of a link or of a sign-in. */
export function ShopOpened({ token, foot, onFault }: ShopOpenedProps) {
  const opened = useCall(openShop, { token }, { quiet: true, project: 0, staleMs: 0 })
  const [tab, setTab] = useState<TabKey>('present')
  const [fault, setFault] = useState<string>()
  const page = opened.data
  useEffect(() => {
    if (opened.error) {
      onFault?.()
    }
  }, [opened.error])
  if (!page) return <Placeholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  const run: ShopPartProps['run'] = async (action, doneText) => {
    setFault(undefined)
    try {
      queryClient.setQueryData(queryKeyOf(openShop, { token }, 0), await action())
      toast.success(doneText)
      return true
    } catch (error) {
      setFault(describeProblem(error))
      onFault?.()
      return false
    }
  }
  const Part = tabs.find(({ key }) => key === tab)?.Part ?? ShopPresent
  return (
    <div className="phone coupon-phone">
      <Head title={page.merchantName} note={page.estateName} servicePhone={page.servicePhone} />
      <nav className="kinds" aria-label="功能">
        {tabs.map(({ key, label }) => (
          <button type="button" key={key} aria-pressed={key === tab} onClick={() => setTab(key)}>
            {label}
          </button>
        ))}
      </nav>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <main>
        <Part token={token} page={page} run={run} />
      </main>
      {foot}
    </div>
  )
}
