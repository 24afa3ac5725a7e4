import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { payMethod, recordState } from '#modules/payments/contract/choices.ts'
import type { ResidentAddress } from '#modules/resident-page/web/public.resident-frame.tsx'
import type { ResidentBills } from '../contract/bills.ts'
import { receiptPath } from './bill-pages.ts'

interface Props {
  readonly address: ResidentAddress
  readonly paid: ResidentBills['paid']
}

/** What was paid for the home; each line opens its receipt. */
export const PaidList = ({ address, paid }: Props) => (
  <>
    <h2>缴费记录</h2>
    <ul className="lines" aria-label="缴费记录">
      {paid.map(({ recordId, payTime, method, state, amount, itemNames }) => (
        <li key={recordId}>
          <Link className="line record" to={receiptPath(address, recordId)}>
            <span>
              <b>{itemNames}</b>
              <small>
                {payTime.slice(0, 16)} {labelOf(payMethod, method)}
                {state !== 'normal' && ` · ${labelOf(recordState, state)}`}
              </small>
            </span>
            <b className="figure">{displayYuanWithSymbol(amount)}</b>
          </Link>
        </li>
      ))}
    </ul>
  </>
)
