import { useState } from 'react'
import { asFen, displayYuanWithSymbol } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { queryClient } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { buyAtShop, cancelAtShop, payAtShop } from '../contract/shop.ts'
import { describeProblem } from './phone-frame.tsx'
import type { ShopPartProps } from './shop-opened.tsx'

/** To the payer's page, which leads back here. */
function goToPay(url: string): void {
  if (url) {
    const back = encodeURIComponent(`${location.pathname}${location.search}`)
    location.assign(`${url}&back=${back}`)
  }
}

/** 购券: coupons in use that have a price; orders that wait for their payment. */
export function ShopBuy({ token, page, run }: ShopPartProps) {
  const coupons = page.coupons.filter(({ isOn, sellPrice }) => isOn && sellPrice > 0)
  const [chosen, setChosen] = useState<Id>()
  const [qty, setQty] = useState('10')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const coupon = coupons.find(({ couponId }) => couponId === chosen) ?? coupons[0]
  const count = /^\d{1,5}$/.test(qty) ? Number(qty) : 0
  const pay = async (open: () => Promise<{ readonly url: string }>): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      const { url } = await open()
      await queryClient.invalidateQueries()
      goToPay(url)
    } catch (error) {
      setFault(describeProblem(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {page.orders.map(({ id, orderNo, totalQty, payableAmount }) => (
        <section className="coupon-card" key={id} aria-label={`待支付订单 ${orderNo}`}>
          <b>待支付 {displayYuanWithSymbol(payableAmount)}</b>
          <small>
            {orderNo} · {totalQty} 张
          </small>
          <div className="row">
            <button
              type="button"
              className="big primary"
              disabled={isBusy}
              onClick={() => void pay(() => send(payAtShop, { token, id }, { quiet: true }))}
            >
              支付
            </button>
            <button
              type="button"
              className="big"
              onClick={() => void run(() => send(cancelAtShop, { token, id }, { quiet: true }), '已取消订单')}
            >
              取消订单
            </button>
          </div>
        </section>
      ))}
      {!coupon && <p className="empty">物业暂未开放购券；免费券由物业发放，请联系物业</p>}
      {coupon && (
        <>
          <div className="coupon-choices" role="radiogroup" aria-label="停车券">
            {coupons.map(({ couponId, couponName, valueText, sellPrice }) => (
              <button
                type="button"
                role="radio"
                aria-checked={couponId === coupon.couponId}
                key={couponId}
                onClick={() => setChosen(couponId)}
              >
                <b>{couponName}</b>
                <span>{valueText}</span>
                <small>{displayYuanWithSymbol(sellPrice)} / 张</small>
              </button>
            ))}
          </div>
          <div className="field">
            <label className="label" htmlFor="coupon-qty">
              数量
            </label>
            <input
              id="coupon-qty"
              inputMode="numeric"
              value={qty}
              onChange={event => setQty(event.target.value.trim())}
            />
          </div>
          {fault !== undefined && (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          <button
            type="button"
            className="big primary"
            disabled={count < 1 || isBusy}
            onClick={() =>
              void pay(() =>
                send(buyAtShop, { token, couponId: coupon.couponId, qty: count }, { quiet: true }),
              )
            }
          >
            购买并支付 {displayYuanWithSymbol(asFen(coupon.sellPrice * count))}
          </button>
        </>
      )}
    </>
  )
}
