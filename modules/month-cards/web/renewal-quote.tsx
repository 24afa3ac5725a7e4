import { useEffect } from 'react'
import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { quoteRenewal } from '../contract/renewal.ts'
import './month-cards.css'

interface RenewalQuoteProps {
  readonly carId: Id | undefined
  readonly months: number | undefined
  /** What the car owner is asked for; nothing while that is not known. */
  readonly onAmount: (amount: Fen | undefined) => void
}

/** What the chosen months cost and until when the car may enter with them. */
export function RenewalQuote({ carId, months, onAmount }: RenewalQuoteProps) {
  const isReady = Boolean(carId) && months !== undefined && months >= 1 && months <= 24
  const quote = useCall(
    quoteRenewal,
    { carId: carId ?? 0, months: months ?? 1 },
    { quiet: true, staleMs: 0, enabled: isReady, keepPrevious: true },
  )
  const amount = isReady && !quote.isError ? quote.data?.amount : undefined
  useEffect(() => onAmount(amount), [amount, onAmount])
  if (!isReady) return <p className="renewal-quote">请选择车辆，月数为 1 到 24</p>
  if (quote.isError)
    return (
      <p className="renewal-quote bad" role="alert">
        {quote.error.message}
      </p>
    )
  if (!quote.data) return <p className="renewal-quote">正在试算</p>
  const { feeStandardName, unitPrice, oldEnd, newBegin, newEnd } = quote.data
  return (
    <output className="renewal-quote">
      <span>应收</span>
      <b className="figure">{displayYuanWithSymbol(quote.data.amount)}</b>
      <span>
        {newBegin} 至 {newEnd}
      </span>
      <small>
        {feeStandardName}，每月 {unitPrice} 元{oldEnd ? `；原到期 ${oldEnd}` : ''}
      </small>
    </output>
  )
}
