import { useState } from 'react'
import type { Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import {
  couponNameOf,
  couponPrefixOf,
  coverTextsOf,
} from '#modules/parking-lanes/web/public.coupon-line-text.ts'
import { findPayerStay, payStay, type PayerStay } from '../contract/payer.ts'
import { describeProblem } from './problem.ts'

/** By its plate, or the one that this telephone brought in. */
export type AskedCar = { readonly plateNo: string } | { readonly carKey: string }

const anonymous = { quiet: true, project: 0 } as const
const refetchMs = 60_000

const timeText = (moment: string): string => moment.slice(5, 16)

const amountFacts = (label: string, amount: Fen): readonly (readonly [string, string])[] =>
  amount > 0 ? [[label, displayYuanWithSymbol(amount)]] : []

function Facts({ stay }: { readonly stay: PayerStay }) {
  const facts: readonly (readonly [string, string])[] = [
    ['车牌', stay.plateNo],
    ['入场时间', timeText(stay.inTime)],
    ['停留', stay.stayText],
    ['应收', displayYuanWithSymbol(stay.shouldPay)],
    ...amountFacts('停车券抵扣', stay.couponAmount),
    ...amountFacts('被访人承担', stay.hostAmount),
    ...amountFacts('减免', stay.waivedAmount),
    ...amountFacts('已缴', stay.paid),
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
    {coupons.map(line => (
      <li key={line.couponNo}>
        <span>{couponNameOf(line)}</span>
        <span>
          {line.reason === undefined
            ? `${couponPrefixOf(line)}${displayYuanWithSymbol(line.discount)}`
            : `未使用：${line.reason}`}
        </span>
      </li>
    ))}
  </ul>
)

function dueText({ due, isCovered, leaveBefore, coupons }: PayerStay): string {
  if (due > 0) return '待缴'
  if (isCovered) return coverTextsOf(coupons).state
  return leaveBefore === undefined
    ? '无需缴费，可直接离场'
    : `已缴清，请在 ${leaveBefore.slice(11, 16)} 前离场`
}

const actionText = ({ due, isCovered, coupons }: PayerStay): string | undefined => {
  if (due > 0) return `支付 ${displayYuanWithSymbol(due)}`
  return isCovered ? coverTextsOf(coupons).action : undefined
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
