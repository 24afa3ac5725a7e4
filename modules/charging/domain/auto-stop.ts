import { addMinutes } from '#kit/domain/moment.ts'
import type { StopReason } from '../contract/choices.ts'
import { chargeFee, type Charge } from './charge-fee.ts'
import { energyOf } from './energy-fee.ts'

/** A vehicle that has taken less takes nothing yet: it prepares, or waits for its time. */
const leastWattHours = 100

/**
 * Why a charge that goes on must be stopped now; undefined where it may go on. `end` is now; `takesNothing`:
 * the vehicle draws no current.
 */
export function autoStopReason(charge: Charge, takesNothing: boolean): StopReason | undefined {
  const { terms, bought, begin, end, prepaid } = charge
  if (takesNothing && energyOf(charge.samples) >= leastWattHours) return 'full'
  const hours = terms.mode === 'package' && bought ? Math.min(bought.hours, terms.maxHours) : terms.maxHours
  if (end >= addMinutes(begin, hours * 60)) return 'overtime'
  if (terms.mode === 'package') return undefined
  return chargeFee(charge).realAmount >= prepaid ? 'spent' : undefined
}
