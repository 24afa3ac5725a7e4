import type { Day } from '#kit/domain/day.ts'
import { asFen, maxFen, minFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { CouponKind } from '../contract/choices.ts'
import { percentOf } from './fee-terms.ts'
import { feeOfMinutes, type FeeSchedule, type StayFee } from './stay-fee.ts'

/** A ticket that somebody presents for a stay (C10.3). */
export interface Coupon {
  readonly key: string
  readonly kind: CouponKind
  /** Minutes, fen, or the percent that is still to be paid; nothing of a free one. */
  readonly value: number
  readonly parkId: number
  readonly validTo: Day
  /** Only for this plate, where it is bound. */
  readonly plateNo?: string | undefined
}

export interface CouponUse {
  readonly key: string
  readonly kind: CouponKind
  readonly discount: Fen
}

export interface RefusedCoupon {
  readonly key: string
  readonly kind: CouponKind
  readonly reason: string
}

/** Free, then minutes, then amounts, then percentages (PRK-23). */
const orderOfKinds: readonly CouponKind[] = ['free', 'minutes', 'amount', 'discount']

const coverPrefix = 'HOST'

/** What the host of a visit pays (PRK-24) counts like a coupon that is taken off last, beside the others. */
export const coverKeyOf = (visitorId: number): string => `${coverPrefix}${visitorId}`

export const isHostCover = ({ key }: Pick<Coupon, 'key'>): boolean => key.startsWith(coverPrefix)

/** The visitor whose host pays. */
export const visitorOfCover = (key: string): number => Number(key.slice(coverPrefix.length))

interface CouponContext {
  readonly parkId: number
  readonly day: Day
  readonly plateNo: string
  readonly maxCoupons: number
}

function couponFault(coupon: Coupon, { parkId, day, plateNo }: CouponContext): string | undefined {
  if (coupon.parkId !== parkId) return '不是本车场的停车券'
  if (coupon.validTo < day) return `停车券已于 ${coupon.validTo} 到期`
  return coupon.plateNo && coupon.plateNo !== plateNo ? `停车券限 ${coupon.plateNo} 使用` : undefined
}

/** One free coupon alone, or up to so many others; each that is not taken has its reason. */
export function chooseCoupons(
  coupons: readonly Coupon[],
  context: CouponContext,
): { readonly chosen: readonly Coupon[]; readonly refused: readonly RefusedCoupon[] } {
  const covers = coupons.filter(isHostCover)
  const tickets = coupons.filter(coupon => !isHostCover(coupon))
  const faults = tickets.map(coupon => ({ coupon, reason: couponFault(coupon, context) }))
  const usable = orderOfKinds.flatMap(kind =>
    faults.filter(each => each.reason === undefined && each.coupon.kind === kind).map(each => each.coupon),
  )
  const limit = usable[0]?.kind === 'free' ? 1 : context.maxCoupons
  const refused = faults.flatMap(({ coupon, reason }) =>
    reason === undefined ? [] : [{ key: coupon.key, kind: coupon.kind, reason }],
  )
  const surplus = usable.slice(limit).map(({ key, kind }) => ({
    key,
    kind,
    reason: usable[0]?.kind === 'free' ? '已使用免费券' : `一次最多使用 ${limit} 张`,
  }))
  return { chosen: [...usable.slice(0, limit), ...covers], refused: [...refused, ...surplus] }
}

export interface DiscountedFee {
  /** Before coupons. */
  readonly full: StayFee
  /** What is priced after coupons of time: its blocks explain the fee. */
  readonly priced: StayFee
  readonly due: Fen
  readonly discount: Fen
  readonly uses: readonly CouponUse[]
}

const amountLeft = ({ kind, value }: Coupon, fee: Fen): Fen => {
  if (kind === 'free') return 0
  return kind === 'amount'
    ? maxFen(0, asFen(fee - value))
    : asFen(percentOf(fee, Math.min(100, Math.max(0, value))))
}

/**
 * A stay's fee after the chosen coupons, never below 0; what is left of a coupon is lost. Time comes off the
 * end of the stay before it is priced.
 */
export function discountedFee(
  schedule: FeeSchedule,
  entry: Moment,
  minutes: number,
  coupons: readonly Coupon[],
): DiscountedFee {
  const full = feeOfMinutes(schedule, entry, minutes)
  const uses: CouponUse[] = []
  let priced = full
  let due = full.fee
  for (const coupon of coupons) {
    const before = due
    if (coupon.kind === 'minutes') {
      priced = feeOfMinutes(schedule, entry, Math.max(0, priced.minutes - coupon.value))
      due = minFen(due, priced.fee)
    } else {
      due = amountLeft(coupon, due)
    }
    uses.push({ key: coupon.key, kind: coupon.kind, discount: subtractFen(before, due) })
  }
  return { full, priced, due, discount: subtractFen(full.fee, due), uses }
}

/** Coupons that take nothing off any more are not used, and say so. */
export const surplusOf = (uses: readonly CouponUse[], kept: readonly CouponUse[]): readonly RefusedCoupon[] =>
  uses.slice(kept.length).map(({ key, kind }) => ({ key, kind, reason: '没有可抵扣的金额' }))

const withoutSurplus = (uses: readonly CouponUse[]): readonly CouponUse[] =>
  uses.slice(0, uses.findLastIndex(use => use.discount > 0) + 1)

/**
 * What coupons settle of a stay that has paid a part already: never more than is still owed. Those that take
 * nothing off any more are kept; what is left of the last one is lost.
 */
export function usesWithin(uses: readonly CouponUse[], owed: Fen): readonly CouponUse[] {
  let open = owed
  const limited = uses.map(use => {
    const discount = minFen(use.discount, open)
    open = subtractFen(open, discount)
    return { ...use, discount }
  })
  return withoutSurplus(limited)
}
