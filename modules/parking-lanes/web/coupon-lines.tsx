import { displayYuan } from '#kit/domain/money.ts'
import type { getStayFee } from '../contract/charge.ts'
import { couponNameOf, couponPrefixOf } from './public.coupon-line-text.ts'

type Coupons = NonNullable<typeof getStayFee.output.T>['coupons']

/** The coupons of the plate: what each takes off, or why it is not used. */
export function CouponLines({ coupons }: { readonly coupons: Coupons }) {
  return (
    <ul className="fee-coupons" aria-label="停车券">
      {coupons.map(line => (
        <li key={line.couponNo}>
          {couponNameOf(line)}
          {line.isHostCover ? '' : ` ${line.couponNo}`}：
          {line.reason === undefined
            ? `${couponPrefixOf(line)}${displayYuan(line.discount)} 元`
            : `未使用，${line.reason}`}
        </li>
      ))}
    </ul>
  )
}
