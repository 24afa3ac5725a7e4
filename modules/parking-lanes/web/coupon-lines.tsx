import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import type { getStayFee } from '../contract/charge.ts'
import { couponKind } from '../contract/choices.ts'

type Coupons = NonNullable<typeof getStayFee.output.T>['coupons']

/** The coupons of the plate: what each takes off, or why it is not used. */
export function CouponLines({ coupons }: { readonly coupons: Coupons }) {
  return (
    <ul className="fee-coupons" aria-label="停车券">
      {coupons.map(({ couponNo, kind, discount, reason }) => (
        <li key={couponNo}>
          {labelOf(couponKind, kind)} {couponNo}：
          {reason === undefined ? `抵扣 ${displayYuan(discount)} 元` : `未使用，${reason}`}
        </li>
      ))}
    </ul>
  )
}
