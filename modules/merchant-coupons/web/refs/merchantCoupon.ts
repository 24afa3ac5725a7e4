import { createRefSource } from '#kit/web/refs.ts'
import { labelOf } from '#kit/contract/field.ts'
import { couponKind } from '#modules/parking-lanes/contract/choices.ts'
import { couponState } from '../../contract/choices.ts'
import { pickCoupons } from '../../contract/coupon.ts'

/** Coupons of the form's project by name. */
export default createRefSource(pickCoupons, {
  value: coupon => coupon.id,
  label: coupon => coupon.couponName,
  note: coupon => [coupon.parkName, labelOf(couponKind, coupon.kind)].filter(Boolean).join(' · '),
  disabledReason: coupon => (coupon.state === 'on' ? undefined : labelOf(couponState, coupon.state)),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
