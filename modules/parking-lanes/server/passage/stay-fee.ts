import type { Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { addFen, maxFen, minFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { CarKind } from '#modules/parking/contract/car-labels.ts'
import type { MonthRight } from '#modules/parking/contract/month-right.ts'
import type { ParkFeeRule } from '../../contract/fee-rule.ts'
import { scheduleOf } from '../../domain/applicable-rule.ts'
import {
  chooseCoupons,
  discountedFee,
  surplusOf,
  usesWithin,
  type Coupon,
  type CouponUse,
  type RefusedCoupon,
} from '../../domain/coupons.ts'
import { chargedSpan, type ChargedSpan } from '../../domain/stay-charge.ts'
import { feeOfStay, type FeeSchedule, type StayFee } from '../../domain/stay-fee.ts'
import { stayMinutes } from '../../domain/stay-minutes.ts'
import { canStillLeave, topUp } from '../../domain/top-up.ts'
import type { StayRow } from './lane-facts.ts'

export interface StayDue {
  /** Before coupons. */
  readonly fee: StayFee
  /** Still to be paid, once the coupons are used. */
  readonly due: Fen
  /** What the stay costs if it ends now; with the coupons, which settle a part of it. */
  readonly shouldPay: Fen
  readonly ruleName?: string | undefined
  /** Nothing is charged for want of a rule. */
  readonly lacksRule: boolean
  /** Until then a car that has paid leaves without paying again (PRK-22). */
  readonly leaveBefore?: Moment | undefined
  /** What the coupons take off what is owed, by those that do (PRK-23). */
  readonly couponDiscount: Fen
  readonly couponUses: readonly CouponUse[]
  readonly refusedCoupons: readonly RefusedCoupon[]
}

const noCoupons = { couponDiscount: 0, couponUses: [], refusedCoupons: [] } as const

const nothing: StayDue = {
  fee: { minutes: 0, fee: 0, blocks: [] },
  due: 0,
  shouldPay: 0,
  lacksRule: false,
  ...noCoupons,
}

export interface PricedStay extends Pick<
  StayRow,
  'parkId' | 'plateNo' | 'inTime' | 'chargedFrom' | 'chargedTo' | 'paidTime' | 'paidFen' | 'discountFen'
> {
  readonly carKind: CarKind
}

export interface Prices {
  readonly rules: readonly ParkFeeRule[]
  readonly isHoliday: (day: Day) => boolean
  readonly coupons?: readonly Coupon[] | undefined
}

type Discount = Pick<StayDue, 'due' | 'couponDiscount' | 'couponUses' | 'refusedCoupons'>

const refusedFor = (coupons: readonly Coupon[], reason: string): readonly RefusedCoupon[] =>
  coupons.map(({ key, kind }) => ({ key, kind, reason }))

interface Owed {
  readonly span: ChargedSpan
  readonly schedule: FeeSchedule
  readonly maxCoupons: number
  readonly open: Fen
  readonly day: Day
}

/**
 * What coupons take off the part that is still open: their whole effect on the fee of the stay, as far as it
 * has not been paid. A stay uses coupons once.
 */
function discountOf(stay: PricedStay, coupons: readonly Coupon[], owed: Owed): Discount {
  const { open, schedule, span, day, maxCoupons } = owed
  const none = { due: open, couponDiscount: 0, couponUses: [] } as const
  if (open <= 0 || !coupons.length) return { ...none, refusedCoupons: [] }
  if (stay.discountFen > 0)
    return { ...none, refusedCoupons: refusedFor(coupons, '本次停车已使用停车券或已改价') }
  const { parkId, plateNo } = stay
  const { chosen, refused } = chooseCoupons(coupons, { parkId, plateNo, day, maxCoupons })
  const { uses, due } = discountedFee(schedule, span.from, stayMinutes(span.from, span.to), chosen)
  const couponUses = usesWithin(uses, subtractFen(open, minFen(open, dueAfterPaid(due, stay))))
  const couponDiscount = sumFen(couponUses.map(use => use.discount))
  return {
    due: subtractFen(open, couponDiscount),
    couponDiscount,
    couponUses,
    refusedCoupons: [...refused, ...surplusOf(uses, couponUses)],
  }
}

const dueAfterPaid = (due: Fen, { paidFen }: PricedStay): Fen => maxFen(0, subtractFen(due, paidFen))

/** What a stay owes at a moment by the rules of its car park; what it has paid stays paid. */
export function dueOfStay(
  stay: PricedStay,
  right: MonthRight,
  at: Moment,
  { rules, isHoliday, coupons = [] }: Prices,
): StayDue {
  const settled = addFen(stay.paidFen, stay.discountFen)
  if (!stay.inTime) return { ...nothing, shouldPay: settled }
  const facts = { ...stay, inTime: stay.inTime, paid: stay.paidFen, discount: stay.discountFen }
  const span = chargedSpan(facts, right, at)
  if (!span) return { ...nothing, shouldPay: settled }
  const ruled = scheduleOf(rules, span.carKind, dayOfMoment(stay.inTime), isHoliday)
  if (!ruled) return { ...nothing, shouldPay: settled, lacksRule: true }
  const { schedule, rule } = ruled
  const fee = feeOfStay(schedule, span.from, span.to)
  const { leaveFreeMinutes, ruleName, maxCoupons } = rule
  const payment = stay.paidTime === undefined ? undefined : { paid: settled, paidAt: stay.paidTime }
  const open = topUp(maxFen(0, subtractFen(fee.fee, payment ? 0 : settled)), payment, at, leaveFreeMinutes)
  const discount = discountOf(stay, coupons, { span, schedule, maxCoupons, open, day: dayOfMoment(at) })
  return {
    fee,
    ...discount,
    shouldPay: addFen(settled, open),
    ruleName,
    lacksRule: false,
    ...(payment && canStillLeave(payment.paidAt, at, leaveFreeMinutes)
      ? { leaveBefore: addMinutes(payment.paidAt, leaveFreeMinutes) }
      : {}),
  }
}
