import type { Day } from '#kit/domain/day.ts'
import { Radio } from 'antd'
import type { Fen } from '#kit/contract/field.ts'
import { Equation } from '#kit/web/detail/detail-drawer.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { calculateAmount, calculateNewExpiry, termMonths } from '../domain/subscription.ts'
import './products.css'

const formatTerm = (n: number): string => (n % 12 ? `${n} 个月` : `${n / 12} 年`)

/** How long: whole terms. */
export const TermField = ({
  value,
  onChange,
}: {
  readonly value: number
  readonly onChange: (n: number) => void
}) => (
  <Radio.Group
    aria-label="时长"
    value={value}
    onChange={e => onChange(Number(e.target.value))}
    optionType="button"
    options={termMonths.map(n => ({ value: n, label: formatTerm(n) }))}
  />
)

interface OrderCostProps {
  readonly price: Fen
  readonly quantity: number
  readonly unit: string
  readonly months?: number | undefined
}

/** 58.00 × 3 项目 × 12 个月 = 2,088.00 (RENEW-1), and the day it then holds to (RENEW-2). */
export function OrderCost({
  price,
  quantity,
  unit,
  months,
  now,
  today,
}: OrderCostProps & { readonly now?: Day | undefined; readonly today: Day }) {
  let amount: Fen | undefined
  try {
    amount = calculateAmount(price, quantity, months)
  } catch {
    amount = undefined
  }
  return (
    <div className="shop-costs">
      <Equation
        parts={[
          { label: '单价', value: displayYuan(price) },
          { label: `× ${unit}`, value: quantity.toLocaleString('en-US') },
          ...(months ? [{ label: '× 月', value: String(months) }] : []),
        ]}
        sum={{ label: '应付', value: amount === undefined ? '超出范围' : displayYuanWithSymbol(amount) }}
      />
      {months !== undefined && (
        <p>
          到期日期 {now ? <s>{now}</s> : null} <b>{calculateNewExpiry(now, today, months)}</b>
        </p>
      )}
    </div>
  )
}
