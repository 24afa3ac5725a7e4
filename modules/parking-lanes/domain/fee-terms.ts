import type { Fen } from '#kit/domain/money.ts'
import type { FeeCapType } from '../contract/choices.ts'

/** What a stay is priced by (C10.2); minutes and fen are whole. */
export interface FeeTerms {
  readonly freeMinutes: number
  /** Charging begins after the free minutes; otherwise a longer stay pays for them too. */
  readonly isFreeIncluded: boolean
  readonly firstMinutes: number
  readonly firstFee: Fen
  readonly stepMinutes: number
  readonly stepFee: Fen
  readonly capType: FeeCapType
  readonly capFee?: Fen | undefined
  /** Each block begins with the first price again. */
  readonly isFirstEachBlock: boolean
  /** `HH:mm`; minutes of the night are paid by one price for each night. */
  readonly nightBegin?: string | undefined
  readonly nightEnd?: string | undefined
  readonly nightFee?: Fen | undefined
  readonly leaveFreeMinutes: number
  /** Of a kind of car that pays more or less than others: percent of all prices. */
  readonly factorPercent?: number | undefined
}

const wholePercent = 100

/** Half a fen counts up. */
export const percentOf = (fee: Fen, percent: number): number =>
  Math.floor((fee * percent + 50) / wholePercent)

/** Minutes without which nothing may be computed: 0 would never end. */
const atLeastOne = (minutes: number): number => Math.max(1, minutes)

/** Prices of one kind of car: its factor is in them, so a cap is of that kind too. */
export interface Prices {
  readonly firstMinutes: number
  readonly firstFee: number
  readonly stepMinutes: number
  readonly stepFee: number
  readonly capFee: number | undefined
  readonly nightFee: number
}

export function pricesOf(terms: FeeTerms): Prices {
  const percent = terms.factorPercent ?? wholePercent
  return {
    firstMinutes: terms.firstMinutes,
    firstFee: percentOf(terms.firstFee, percent),
    stepMinutes: atLeastOne(terms.stepMinutes),
    stepFee: percentOf(terms.stepFee, percent),
    capFee: terms.capFee === undefined ? undefined : percentOf(terms.capFee, percent),
    nightFee: percentOf(terms.nightFee ?? 0, percent),
  }
}
