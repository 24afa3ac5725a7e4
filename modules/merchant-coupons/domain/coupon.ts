import { labelOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { asFen, maxFen, minFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { couponKind, type CouponKind } from '#modules/parking-lanes/contract/choices.ts'
import type { CouponState } from '../contract/choices.ts'

interface CouponValue {
  readonly kind: CouponKind
  readonly faceValue?: string | undefined
}

/** What is taken off a fee: minutes, fen, or the percent that is still to be paid. */
export function couponValue({ kind, faceValue = '0' }: CouponValue): number {
  if (kind === 'free') return 0
  return kind === 'amount' ? Math.round(Number(faceValue) * 100) : Number(faceValue)
}

/** `时长券 120 分钟` */
export function couponText({ kind, faceValue = '0' }: CouponValue): string {
  const label = labelOf(couponKind, kind)
  const value = Number(faceValue)
  if (kind === 'free') return label
  if (kind === 'minutes') return `${label} ${value} 分钟`
  return kind === 'amount' ? `${label} ${value} 元` : `${label} 付 ${value}%`
}

/** Why a face value is none of its kind. */
export function faceValueFault({ kind, faceValue }: CouponValue): string | undefined {
  const value = Number(faceValue ?? 0)
  if (kind === 'free') return faceValue === undefined || value === 0 ? undefined : '免费券不填面值'
  if (value <= 0) return '请填写大于 0 的面值'
  if (kind === 'minutes' && !Number.isInteger(value)) return '时长券的面值为整数分钟'
  if (kind === 'amount' && !/^\d+(\.\d{1,2}0*)?$/.test(faceValue ?? '')) return '金额券的面值最多两位小数'
  return kind === 'discount' && value >= 100 ? '折扣券的面值应小于 100' : undefined
}

interface CouponDays {
  readonly validDays?: number | undefined
  readonly validTo?: Day | undefined
}

const earlier = (a: Day, b: Day): Day => (a < b ? a : b)

/** The last day of a ticket that is presented on a day. */
export function ticketEnd({ validDays, validTo }: CouponDays, presented: Day): Day {
  const byDays = validDays === undefined ? undefined : addDays(presented, validDays - 1)
  return earlier(byDays ?? validTo ?? presented, validTo ?? byDays ?? presented)
}

/** One-time codes wait for a driver so long. */
const codeDays = 180

export const codeEnd = ({ validTo }: CouponDays, issued: Day): Day =>
  earlier(addDays(issued, codeDays), validTo ?? addDays(issued, codeDays))

interface CouponUse extends CouponDays {
  readonly couponName: string
  readonly state: CouponState
}

/** Why a coupon can be neither bought nor presented; nothing where it can. */
export function couponRefusal({ couponName, state, validTo }: CouponUse, today: Day): string | undefined {
  if (state === 'expired' || (validTo !== undefined && validTo < today))
    return `停车券「${couponName}」已过期，请选择其他停车券`
  return state === 'off' ? `停车券「${couponName}」已停用，请选择其他停车券` : undefined
}

export interface RefundLine {
  readonly qty: number
  readonly unitPrice: Fen
  /** How many of it went back before. */
  readonly refunded: number
  /** How many of it may go back. */
  readonly refundable: number
}

/**
 * What goes back for tickets that were not presented: their part of what was paid, so that a discount is
 * shared by all of the order. All returns together are rounded once, half up (FEE-3): whatever the steps, the
 * sum is never above what was paid, and the last one gives the rest.
 */
export function refundAmount(lines: readonly RefundLine[], paid: Fen, refundedBefore: Fen): Fen {
  const whole = lines.reduce((sum, { qty, unitPrice }) => sum + qty * unitPrice, 0)
  const back = lines.reduce((sum, line) => sum + (line.refunded + line.refundable) * line.unitPrice, 0)
  if (whole === 0) return asFen(0)
  const together = asFen(Math.floor((2 * paid * back + whole) / (2 * whole)))
  return maxFen(asFen(0), subtractFen(minFen(paid, together), refundedBefore))
}

/** Of the stock of a coupon that has ended: what stays, for orders whose expired tickets may be returned. */
export const keptAtExpiry = (balance: number, returnable: number): number => Math.min(balance, returnable)
