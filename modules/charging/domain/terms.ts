import type { Decimal } from '#kit/domain/decimal.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { ChargeMode } from '../contract/choices.ts'

/** A part of the day with its price of a kWh, in yuan; `end` may be 24:00. */
export interface PricePeriod {
  readonly begin: string
  readonly end: string
  readonly price: Decimal
}

/** Up to so many watts an hour costs so much, in yuan. */
export interface PowerBand {
  readonly maxWatts: number
  readonly price: Decimal
}

export interface HourPackage {
  readonly hours: number
  readonly price: Fen
}

/** What a charge costs, as it was when the order was placed: a later price changes nothing of it. */
export interface ChargeTerms {
  readonly mode: ChargeMode
  readonly periods: readonly PricePeriod[]
  /** Yuan a kWh on top of the electricity. */
  readonly servicePrice: Decimal
  /** Ascending. */
  readonly powerBands: readonly PowerBand[]
  readonly packages: readonly HourPackage[]
  readonly minFee: Fen
  readonly maxHours: number
  /** Yuan an hour for a place that is kept after the charge, once the grace is over. */
  readonly idlePrice: Decimal
  readonly graceMinutes: number
}

/** What the meter of a port showed since the charge began. */
export interface MeterSample {
  readonly at: Moment
  readonly wattHours: number
}
