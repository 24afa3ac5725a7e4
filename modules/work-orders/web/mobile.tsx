import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'
import { keysOf } from '#kit/contract/field.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import '#kit/web/phone/phone.css'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { WaitingNotice } from '#kit/web/phone/waiting-notice.tsx'
import { orderAction } from '../contract/choices.ts'
import { MobileDuty } from './mobile-duty.tsx'
import { MobileList, MobilePool } from './mobile-list.tsx'
import { useMobileOrders, type MobileOrders } from './mobile-orders.ts'
import { paths } from './paths.ts'
import './mobile.css'

/** Fetched while there is a network, before an order is opened. */
const MobileOrder = lazyComponent(async () => (await import('./mobile-order.tsx')).MobileOrder)

/** 我的工单: a screen without the shell, for the phones of those who handle orders. */
export default function MobilePage() {
  return (
    <SignedInOnly>
      <OwnOrders />
    </SignedInOnly>
  )
}

/** Where one is, in the address: the way back of the phone goes back within the page. */
function useMobileAddress() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const { key } = useLocation()
  const step = params.get('step')
  return {
    id: parseId(params.get('id')),
    step: keysOf(orderAction).find(action => action === step),
    showsPool: params.get('tab') === 'pool',
    open: (id: Id, action?: string): void =>
      setParams({ id: String(id), ...(action === undefined ? {} : { step: action }) }),
    showTab: (tab: 'own' | 'pool'): void => setParams(tab === 'own' ? {} : { tab }, { replace: true }),
    back: (): void => {
      if (key === 'default') {
        setParams({}, { replace: true })
      } else {
        void navigate(-1)
      }
    },
  }
}

function OwnOrders() {
  const orders = useMobileOrders()
  const address = useMobileAddress()
  useEffect(() => MobileOrder.warm(), [])
  if (address.id) return <MobileOrder key={address.id} id={address.id} orders={orders} address={address} />
  return <OrderLists orders={orders} address={address} />
}

export type MobileAddress = ReturnType<typeof useMobileAddress>

function OrderLists({ orders, address }: { readonly orders: MobileOrders; readonly address: MobileAddress }) {
  const { queue, pool } = orders
  const { showsPool, showTab, open } = address
  const navigate = useNavigate()
  const tabs = [
    ['own', `待处理 ${orders.orders.length}`],
    ['pool', `抢单 ${pool.data?.total ?? 0}`],
  ] as const
  return (
    <div className="phone orders-phone">
      <header>
        <div>
          <h1>我的工单</h1>
          <MobileDuty />
        </div>
        <div className="kinds" role="group" aria-label="显示">
          {tabs.map(([tab, label]) => (
            <button
              type="button"
              key={tab}
              aria-pressed={(tab === 'pool') === showsPool}
              onClick={() => showTab(tab)}
            >
              {label}
            </button>
          ))}
          <button type="button" onClick={orders.refetch}>
            刷新
          </button>
          <button type="button" onClick={() => void navigate(paths.ownDoorways)}>
            开门
          </button>
        </div>
      </header>
      <WaitingNotice count={queue.queue.length} unit="个步骤" onSend={queue.upload} />
      <main>
        {showsPool ? (
          <MobilePool orders={orders} onOpen={open} />
        ) : (
          <MobileList orders={orders} onOpen={open} />
        )}
      </main>
    </div>
  )
}
