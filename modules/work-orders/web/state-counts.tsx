import { labelOf } from '#kit/contract/field.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { StatusIcon } from '#kit/web/status.tsx'
import { orderState } from '../contract/choices.ts'
import { countOrders } from '../contract/order-list.ts'
import './orders.css'

/** How many orders each state holds; a press narrows the list to it, another one lets it go. */
export function StateCounts() {
  const counts = useCall(countOrders, {}, { quiet: true, keepPrevious: true, staleMs: 30_000 })
  const [chosen, choose] = useAddressValue('state')
  const states = (counts.data?.states ?? []).filter(s => s.count > 0)
  return (
    <div className="order-states" role="group" aria-label="状态">
      {states.map(({ state, count }) => {
        const tone = orderState.rows[state][2]
        return (
          <button
            key={state}
            type="button"
            aria-pressed={chosen === state}
            onClick={() => choose(chosen === state ? '' : state)}
          >
            {tone && <StatusIcon tone={tone} />}
            {labelOf(orderState, state)}
            <small>{formatCount(count)}</small>
          </button>
        )
      })}
    </div>
  )
}
