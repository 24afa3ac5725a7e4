import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { chargeState } from '../contract/choices.ts'
import type { FollowedOrder } from './resident-order.tsx'

/** What the work costs, line by line; nothing where it costs nothing. */
export function ResidentCost({ order }: { readonly order: FollowedOrder }) {
  if (!order.lines.length) return null
  const sums = [
    ['人工费', order.laborCost],
    ['材料费', order.materialCost],
    ...(order.waiveCost ? [['减免', order.waiveCost] as const] : []),
    ...(order.lateFee ? [['违约金', order.lateFee] as const] : []),
    ...(order.payState === 'unpaid' && order.paidAmount ? [['已付', order.paidAmount] as const] : []),
  ] as const
  return (
    <section aria-label="费用">
      <h2>
        费用 <ChoiceStatus choices={chargeState} value={order.payState} />
      </h2>
      <ul className="costs">
        {order.lines.map((line, i) => (
          <li key={i}>
            <span>
              {line.name}
              <small>
                {displayYuanWithSymbol(line.price)} × {line.quantity}
                {line.unit ? ` ${line.unit}` : ''}
              </small>
            </span>
            <span className="figure">{displayYuanWithSymbol(line.amount)}</span>
          </li>
        ))}
        {sums.map(([label, amount]) => (
          <li key={label} className="sum">
            <span>{label}</span>
            <span className="figure">{displayYuanWithSymbol(amount)}</span>
          </li>
        ))}
        <li className="sum total">
          <span>{order.payState === 'unpaid' ? '应付' : order.payState === 'paid' ? '已付' : '合计'}</span>
          <b className="figure">{order.isWarranty ? '质保内免费' : displayYuanWithSymbol(order.amount)}</b>
        </li>
      </ul>
    </section>
  )
}
