import { secondsBetween, type Moment } from '#kit/domain/moment.ts'
import { addFen, asFen, maxFen, minFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { durationFee, energyFee, energyOf, idleFee } from './energy-fee.ts'
import type { ChargeTerms, HourPackage, MeterSample } from './terms.ts'

/** A charge as far as it is known. */
export interface Charge {
  readonly terms: ChargeTerms
  readonly prepaid: Fen
  /** What was bought, for a charge by package. */
  readonly bought?: HourPackage | undefined
  readonly begin: Moment
  readonly samples: readonly MeterSample[]
  readonly end: Moment
  /** When the place was left; not before the end. */
  readonly leftAt?: Moment | undefined
  /** A fault or a lost line ended it: hours that were bought and not had are not charged. */
  readonly isBroken?: boolean | undefined
}

/** What a charge costs; the parts of it before the prepayment limits it. */
export interface ChargeFee {
  readonly wattHours: number
  readonly minutes: number
  readonly elecFee: Fen
  readonly serviceFee: Fen
  readonly idleFee: Fen
  readonly realAmount: Fen
  readonly refundAmount: Fen
}

const minutesBetween = (begin: Moment, end: Moment): number =>
  Math.max(0, Math.ceil(secondsBetween(begin, end) / 60))

function packageFee({ bought, begin, end, isBroken }: Charge): Fen {
  if (!bought) return 0
  const whole = bought.hours * 60
  const used = Math.min(whole, minutesBetween(begin, end))
  return isBroken ? asFen(Math.ceil((bought.price * used) / whole)) : bought.price
}

/** With the time until the end: a charge by duration costs what passes after the last reading, too. */
const samplesToEnd = ({ samples, end }: Charge): readonly MeterSample[] => {
  const highest = Math.max(0, ...samples.map(({ wattHours }) => wattHours))
  return [...samples, { at: end, wattHours: highest }]
}

function chargedFees(charge: Charge): { elecFee: Fen; serviceFee: Fen } {
  const { terms } = charge
  switch (terms.mode) {
    case 'energy':
      return energyFee(terms, charge.samples)
    case 'duration':
      return { elecFee: durationFee(terms, samplesToEnd(charge)), serviceFee: 0 }
    case 'package':
      return { elecFee: packageFee(charge), serviceFee: 0 }
  }
}

/**
 * C20: what a charge costs and what goes back. Nothing is charged where nothing was delivered. More than was
 * prepaid is never charged: the charge is stopped by then, and what flows until the pile obeys is ours.
 */
export function chargeFee(charge: Charge): ChargeFee {
  const { terms, prepaid, begin, end, leftAt } = charge
  const wattHours = energyOf(charge.samples)
  const minutes = minutesBetween(begin, end)
  if (wattHours === 0)
    return {
      wattHours,
      minutes,
      elecFee: 0,
      serviceFee: 0,
      idleFee: 0,
      realAmount: 0,
      refundAmount: prepaid,
    }
  const fees = chargedFees(charge)
  const idle = leftAt === undefined ? asFen(0) : idleFee(terms, end, leftAt)
  const due = addFen(maxFen(addFen(fees.elecFee, fees.serviceFee), terms.minFee), idle)
  const realAmount = minFen(prepaid, due)
  return {
    wattHours,
    minutes,
    ...fees,
    idleFee: idle,
    realAmount,
    refundAmount: subtractFen(prepaid, realAmount),
  }
}

/** Whether the place is charged while it is kept after the charge. */
export const hasIdleFee = ({ idlePrice }: Pick<ChargeTerms, 'idlePrice'>): boolean => Number(idlePrice) > 0
