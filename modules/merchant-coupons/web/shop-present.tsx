import { QrCode } from '#kit/web/qr-code.tsx'
import { useState } from 'react'
import { send } from '#kit/web/send.ts'
import { presentAtShop, showShopCode } from '../contract/shop.ts'
import { describeProblem } from './phone-frame.tsx'
import { isWholePlate, PlateKeys } from '#modules/parking/web/public.plate-keys.tsx'
import type { ShopPartProps } from './shop-opened.tsx'

/** 发券: a coupon to a plate, or by the code that the driver scans. */
export function ShopPresent({ token, page, run }: ShopPartProps) {
  const coupons = page.coupons.filter(({ isOn, balance }) => isOn && balance > 0)
  const [chosen, setChosen] = useState<number>()
  const [plateNo, setPlateNo] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [code, setCode] = useState<{ readonly url?: string; readonly fault?: string }>({})
  const coupon = coupons.find(({ couponId }) => couponId === chosen) ?? coupons[0]
  if (!coupon) return <p className="empty">暂无可发放的停车券，请先购券</p>
  const { couponId } = coupon
  const present = async (): Promise<void> => {
    setBusy(true)
    if (
      await run(
        () => send(presentAtShop, { token, couponId, plateNo }, { quiet: true }),
        `已发放给 ${plateNo}`,
      )
    ) {
      setPlateNo('')
    }
    setBusy(false)
  }
  const show = async (): Promise<void> => {
    try {
      setCode(await send(showShopCode, { token, couponId }, { quiet: true }))
    } catch (error) {
      setCode({ fault: describeProblem(error) })
    }
  }
  return (
    <>
      <div className="coupon-choices" role="radiogroup" aria-label="停车券">
        {coupons.map(({ couponId: id, couponName, valueText, balance }) => (
          <button
            type="button"
            role="radio"
            aria-checked={id === couponId}
            key={id}
            onClick={() => {
              setChosen(id)
              setCode({})
            }}
          >
            <b>{couponName}</b>
            <span>{valueText}</span>
            <small>结余 {balance} 张</small>
          </button>
        ))}
      </div>
      <PlateKeys value={plateNo} onChange={setPlateNo} />
      <button
        type="button"
        className="big primary"
        disabled={!isWholePlate(plateNo) || isBusy}
        onClick={() => void present()}
      >
        发放
      </button>
      {code.url === undefined ? (
        <button type="button" className="big" onClick={() => void show()}>
          出示二维码
        </button>
      ) : (
        <section className="coupon-code" aria-label="停车券码">
          <QrCode aria-label="停车券二维码" value={`${location.origin}${code.url}`} size={208} />
          <p>车辆入场后，请车主扫码填写车牌领取，每次停车领取一张</p>
        </section>
      )}
      {code.fault !== undefined && (
        <p className="fault" role="alert">
          {code.fault}
        </p>
      )}
    </>
  )
}
