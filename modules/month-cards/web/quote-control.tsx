import { useEffect } from 'react'
import { parseId, type Id } from '#kit/domain/id.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { quoteRenewal } from '../contract/renewal.ts'
import './month-cards.css'

const idOfValue = (value: unknown): Id =>
  typeof value === 'number' || typeof value === 'string' ? parseId(String(value)) : 0

/** What the chosen months cost and until when the car may enter with them; its value is the amount. */
export const QuoteControl: Control = ({ id, value, formValues, onChange }) => {
  const carId = idOfValue(formValues.carId)
  const months = Number(formValues.months ?? 0)
  const isReady = carId > 0 && months >= 1 && months <= 24
  const quote = useCall(
    quoteRenewal,
    { carId, months },
    { quiet: true, staleMs: 0, enabled: isReady, keepPrevious: true },
  )
  const amount = isReady && !quote.isError ? quote.data?.amount : undefined
  useEffect(() => {
    if (value !== amount) onChange(amount)
  }, [value, amount, onChange])
  if (!isReady) return <output id={id}>请选择车辆，月数为 1 到 24</output>
  if (quote.isError)
    return (
      <output id={id} className="bad">
        {quote.error.message}
      </output>
    )
  if (!quote.data) return <output id={id}>正在试算</output>
  const { feeStandardName, unitPrice, oldEnd, newBegin, newEnd } = quote.data
  return (
    <output id={id} className="renewal-quote">
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
