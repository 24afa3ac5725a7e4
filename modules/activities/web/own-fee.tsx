import { Link } from 'react-router'
import { displayYuan } from '#kit/domain/money.ts'
import { billPaths } from '#modules/resident-bills/web/public.paths.ts'
import { residentAddressOf, type ResidentAddress } from '#modules/resident-page/web/public.resident-frame.tsx'
import type { HomeActivity } from '../contract/home.ts'
import { feeOf, hasFee } from '../domain/fee.ts'

interface FeeProps {
  readonly address: ResidentAddress
  readonly page: HomeActivity
}

/** What the sign-up of a resident costs: to be paid, paid, or to come back. */
export function OwnFee({ address, page }: FeeProps) {
  const { payState, feeAmount = 0, owedAmount = feeAmount, refundDue = 0 } = page
  if (payState === 'unpaid' && owedAmount === 0) return <p>费用审核中，审核后可缴费</p>
  if (payState === 'unpaid')
    return (
      <>
        <b>待缴 {displayYuan(owedAmount)} 元</b>
        <Link className="big primary as-button" to={residentAddressOf(billPaths.bills, address)}>
          缴费
        </Link>
      </>
    )
  if (payState === 'paid') return <small>已缴费 {displayYuan(feeAmount)} 元</small>
  if (payState === 'refundDue') return <p>已缴 {displayYuan(refundDue)} 元，费用由物业退回</p>
  if (payState === 'refunded') return <p>费用已退回</p>
  const { ownState, waitingBefore, personCount = 1 } = page
  if (!hasFee(page) || ownState !== 'waiting' || waitingBefore === undefined) return null
  return <small>递补成功后缴费 {displayYuan(feeOf(page, personCount))} 元</small>
}
