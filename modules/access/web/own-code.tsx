import { QrCode } from '#kit/web/qr-code.tsx'
import { useEffect, useRef, useState } from 'react'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import type { ShownCode } from '../contract/own-access.ts'
import { offlineText } from './own-doorways.tsx'
import { shownAfterFault } from './shown-after-fault.ts'

/** While devices are on their way to hold it; one without a line may be so for hours. */
const againMs = 3000
const maxTimes = 10

const isOnItsWay = ({ deviceCount, waitingCount }: ShownCode): boolean =>
  deviceCount === 0 || waitingCount > 0

function deviceText({ deviceCount, waitingCount }: ShownCode): string {
  if (deviceCount === 0) return '正在下发到门禁设备，请稍候'
  return waitingCount > 0
    ? `已下发 ${deviceCount - waitingCount} 台，另有 ${waitingCount} 台正在下发或离线`
    : '在门禁设备上扫码开门'
}

interface CodeProps {
  readonly show: (isNew: boolean) => Promise<ShownCode>
}

/** The own code, shown once it is asked for: nobody reads it over a shoulder before. */
export function OwnCode({ show }: CodeProps) {
  const [shown, setShown] = useState<ShownCode>()
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const latest = useRef(show)
  const times = useRef(0)
  latest.current = show
  const ask = async (isNew: boolean): Promise<void> => {
    setAsking(true)
    setFault(undefined)
    try {
      setShown(await latest.current(isNew))
    } catch (error) {
      setShown(before => shownAfterFault(before, error))
      setFault(describeRefusal(error, offlineText))
    } finally {
      setAsking(false)
    }
  }
  const startOver = (isNew: boolean): void => {
    times.current = 0
    void ask(isNew)
  }
  useEffect(() => {
    if (!shown || isAsking || !isOnItsWay(shown) || times.current >= maxTimes) return undefined
    const timer = setTimeout(() => {
      times.current += 1
      void ask(false)
    }, againMs)
    return () => clearTimeout(timer)
  }, [shown, isAsking])
  return (
    <section className="own-code" aria-label="通行码">
      {shown ? (
        <>
          <QrCode aria-label="通行码二维码" value={shown.code} size={208} />
          <p role="status">{deviceText(shown)}</p>
          <small>有效期至 {shown.endDate}，到期前自动更换，请勿转发</small>
          <div>
            <button type="button" className="big" onClick={() => setShown(undefined)}>
              隐藏
            </button>
            <button type="button" className="big" disabled={isAsking} onClick={() => startOver(true)}>
              更换通行码
            </button>
          </div>
        </>
      ) : (
        <button type="button" className="big primary" disabled={isAsking} onClick={() => startOver(false)}>
          出示通行码
        </button>
      )}
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </section>
  )
}
