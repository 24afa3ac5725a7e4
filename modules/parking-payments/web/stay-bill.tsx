import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { couponKind } from '#modules/parking-lanes/contract/choices.ts'
import { findPayerStay, payStay, type PayerStay } from '../contract/payer.ts'
import { describeProblem } from './problem.ts'

/** By its plate, or the one that this telephone brought in. */
export type AskedCar = { readonly plateNo: string } | { readonly carKey: string }

const anonymous = { quiet: true, project: 0 } as const
const refetchMs = 60_000

const timeText = (moment: string): string => moment.slice(5, 16)

function Facts({ stay }: { readonly stay: PayerStay }) {
  const facts: readonly (readonly [string, string])[] = [
    ['车牌', stay.plateNo],
    ['入场时间', timeText(stay.inTime)],
    ['停留', stay.stayText],
    ['应收', displayYuanWithSymbol(stay.shouldPay)],
    ...(stay.couponAmount > 0 ? ([['停车券抵扣', displayYuanWithSymbol(stay.couponAmount)]] as const) : []),
    ...(stay.paid > 0 ? ([['已缴', displayYuanWithSymbol(stay.paid)]] as const) : []),
  ]
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Coupons = ({ coupons }: Pick<PayerStay, 'coupons'>) => (
  <ul className="coupons" aria-label="停车券">
    {coupons.map(({ couponNo, kind, discount, reason }) => (
      <li key={couponNo}>
        <span>{labelOf(couponKind, kind)}</span>
        <span>{reason === undefined ? `抵扣 ${displayYuanWithSymbol(discount)}` : `未使用：${reason}`}</span>
      </li>
    ))}
  </ul>
)

function dueText({ due, isCovered, leaveBefore }: PayerStay): string {
  if (due > 0) return '待缴'
  if (isCovered) return '停车券已抵全额'
  return leaveBefore === undefined
    ? '无需缴费，可直接离场'
    : `已缴清，请在 ${leaveBefore.slice(11, 16)} 前离场`
}

const actionText = ({ due, isCovered }: PayerStay): string | undefined => {
  if (due > 0) return `支付 ${displayYuanWithSymbol(due)}`
  return isCovered ? '使用停车券' : undefined
}

interface BillProps {
  readonly code: string
  readonly car: AskedCar
  readonly onReceipt: (receipt: string) => void
  readonly onBack: () => void
}

/** What a stay costs and why, and its payment. */
export function StayBill({ code, car, onReceipt, onBack }: BillProps) {
  const found = useCall(findPayerStay, { code, ...car }, { ...anonymous, staleMs: 0, refetchMs })
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const stay = found.data
  const pay = async (amount: Fen): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      const { url, receipt } = await send(payStay, { code, ...car, amount }, anonymous)
      const back = `${location.pathname}?t=${code}&r=${receipt}`
      if (url === undefined) return onReceipt(receipt)
      location.assign(`${url}&back=${encodeURIComponent(back)}`)
    } catch (error) {
      setFault(describeProblem(error))
      setBusy(false)
      void found.refetch()
    }
  }
  const problem = fault ?? (stay === undefined && found.error ? describeProblem(found.error) : undefined)
  const label = stay && actionText(stay)
  return (
    <>
      {stay && (
        <>
          <p className="due" role="status">
            {dueText(stay)}
            {stay.due > 0 && <b>{displayYuanWithSymbol(stay.due)}</b>}
          </p>
          <Facts stay={stay} />
          {stay.coupons.length > 0 && <Coupons coupons={stay.coupons} />}
          <p className="note">{stay.sentence}</p>
        </>
      )}
      {!stay && !problem && <p role="status">正在查询…</p>}
      {problem !== undefined && (
        <p className="fault" role="alert">
          {problem}
        </p>
      )}
      {stay && label !== undefined && (
        <button
          type="button"
          className="big primary"
          disabled={isBusy}
          aria-busy={isBusy}
          onClick={() => void pay(stay.due)}
        >
          {label}
        </button>
      )}
      <button type="button" className="big" onClick={onBack}>
        查询其他车牌
      </button>
    </>
  )
}
