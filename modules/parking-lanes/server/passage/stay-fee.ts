import type { Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { addFen, maxFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { CarKind } from '#modules/parking/contract/car-labels.ts'
import type { MonthRight } from '#modules/parking/contract/month-right.ts'
import type { ParkFeeRule } from '../../contract/fee-rule.ts'
import { scheduleOf } from '../../domain/applicable-rule.ts'
import { chargedSpan } from '../../domain/stay-charge.ts'
import { feeOfStay, type StayFee } from '../../domain/stay-fee.ts'
import { canStillLeave, topUp } from '../../domain/top-up.ts'
import type { StayRow } from './lane-facts.ts'

export interface StayDue {
  readonly fee: StayFee
  /** Still to be paid. */
  readonly due: Fen
  /** What the stay costs if it ends now. */
  readonly shouldPay: Fen
  readonly ruleName?: string | undefined
  /** Nothing is charged for want of a rule. */
  readonly lacksRule: boolean
  /** Until then a car that has paid leaves without paying again (PRK-22). */
  readonly leaveBefore?: Moment | undefined
}

const nothing: StayDue = { fee: { minutes: 0, fee: 0, blocks: [] }, due: 0, shouldPay: 0, lacksRule: false }

export interface PricedStay extends Pick<
  StayRow,
  'inTime' | 'chargedFrom' | 'chargedTo' | 'paidTime' | 'paidFen' | 'discountFen'
> {
  readonly carKind: CarKind
}

/** What a stay owes at a moment by the rules of its car park; what it has paid stays paid. */
export function dueOfStay(
  stay: PricedStay,
  right: MonthRight,
  at: Moment,
  rules: readonly ParkFeeRule[],
  isHoliday: (day: Day) => boolean,
): StayDue {
  const settled = addFen(stay.paidFen, stay.discountFen)
  if (!stay.inTime) return { ...nothing, shouldPay: settled }
  const facts = { ...stay, inTime: stay.inTime, paid: stay.paidFen, discount: stay.discountFen }
  const span = chargedSpan(facts, right, at)
  if (!span) return { ...nothing, shouldPay: settled }
  const ruled = scheduleOf(rules, span.carKind, dayOfMoment(stay.inTime), isHoliday)
  if (!ruled) return { ...nothing, shouldPay: settled, lacksRule: true }
  const fee = feeOfStay(ruled.schedule, span.from, span.to)
  const { leaveFreeMinutes, ruleName } = ruled.rule
  const payment = stay.paidTime === undefined ? undefined : { paid: settled, paidAt: stay.paidTime }
  const due = topUp(maxFen(0, subtractFen(fee.fee, payment ? 0 : settled)), payment, at, leaveFreeMinutes)
  return {
    fee,
    due,
    shouldPay: addFen(settled, due),
    ruleName,
    lacksRule: false,
    ...(payment && canStillLeave(payment.paidAt, at, leaveFreeMinutes)
      ? { leaveBefore: addMinutes(payment.paidAt, leaveFreeMinutes) }
      : {}),
  }
}
