import { maxFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { stayMinutes } from './stay-minutes.ts'

export interface Payment {
  readonly paid: Fen
  readonly paidAt: Moment
}

/** The last moment at which a car that has paid leaves without paying again. */
export const canStillLeave = (paidAt: Moment, at: Moment, leaveFreeMinutes: number): boolean =>
  stayMinutes(paidAt, at) <= leaveFreeMinutes

/**
 * What is still to be paid: nothing within the minutes for leaving, else the whole fee of now less what was
 * paid. It never begins again at the payment, which would lose the cap (PRK-22).
 */
export function topUp(dueNow: Fen, payment: Payment | undefined, at: Moment, leaveFreeMinutes: number): Fen {
  if (!payment) return dueNow
  if (canStillLeave(payment.paidAt, at, leaveFreeMinutes)) return 0
  return maxFen(0, subtractFen(dueNow, payment.paid))
}
