import type { Day } from '#kit/domain/day.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { blockReason, type BlockFigures } from './block-reason.ts'
import { pricesOf, type FeeTerms, type Prices } from './fee-terms.ts'
import { blocksOf, intersect, minutesIn, nightsOf, stayMinutes, type StayBlock } from './stay-minutes.ts'

/** One part of a stay that a cap counts over, and why it costs what it costs. */
export interface FeeBlock {
  readonly from: Moment
  readonly to: Moment
  readonly minutes: number
  readonly fee: Fen
  readonly isHoliday: boolean
  readonly isCapped: boolean
  readonly reason: string
}

export interface StayFee {
  readonly minutes: number
  readonly fee: Fen
  readonly blocks: readonly FeeBlock[]
}

/** A rule, and what is charged instead of it on holidays. */
export interface FeeSchedule {
  readonly terms: FeeTerms
  readonly holidayTerms?: FeeTerms | undefined
  readonly isHoliday?: ((day: Day) => boolean) | undefined
}

/** The price of minutes by day. Exactly on a border is the lower block: 60 minutes are the first price. */
function priceOfMinutes(prices: Prices, minutes: number, beginsWithFirst: boolean): BlockFigures['day'] {
  const firstMinutes = beginsWithFirst ? prices.firstMinutes : 0
  const hasFirst = beginsWithFirst && minutes > 0 && firstMinutes > 0
  const steps = Math.ceil(Math.max(0, minutes - firstMinutes) / prices.stepMinutes)
  return { minutes, hasFirst, steps, fee: (hasFirst ? prices.firstFee : 0) + steps * prices.stepFee }
}

function priceBlock(
  { terms, holidayTerms, isHoliday }: FeeSchedule,
  entry: Moment,
  block: StayBlock,
  context: { readonly isFirst: boolean; readonly chargedFrom: number; readonly paidNights: Set<Day> },
): FeeBlock {
  const isOnHoliday = holidayTerms !== undefined && (isHoliday?.(block.day) ?? false)
  const own = isOnHoliday ? holidayTerms : terms
  const prices = pricesOf(own)
  const charged = intersect(block, { from: context.chargedFrom, to: block.to })
  const nights = nightsOf(own, entry, charged)
  const newNights = nights.filter(night => !context.paidNights.has(night.day))
  newNights.forEach(night => context.paidNights.add(night.day))
  const nightMinutes = nights.reduce((sum, night) => sum + minutesIn(night), 0)
  const day = priceOfMinutes(
    prices,
    minutesIn(charged) - nightMinutes,
    context.isFirst || own.isFirstEachBlock,
  )
  const uncapped = day.fee + newNights.length * prices.nightFee
  const fee = asFen(Math.min(uncapped, prices.capFee ?? uncapped))
  const figures: BlockFigures = {
    day,
    nights: newNights.length,
    nightMinutes,
    freeMinutes: minutesIn(block) - minutesIn(charged),
    uncapped,
    fee,
    prices,
    isHoliday: isOnHoliday,
  }
  return {
    from: addMinutes(entry, block.from),
    to: addMinutes(entry, block.to),
    minutes: minutesIn(block),
    fee,
    isHoliday: isOnHoliday,
    isCapped: fee < uncapped,
    reason: blockReason(figures),
  }
}

const freeBlock = (entry: Moment, minutes: number, freeMinutes: number): FeeBlock => ({
  from: entry,
  to: addMinutes(entry, minutes),
  minutes,
  fee: 0,
  isHoliday: false,
  isCapped: false,
  reason: `不超过 ${freeMinutes} 分钟，免费`,
})

/** The fee of so many minutes from the entry, with the blocks that it comes from (PRK-20, PRK-21). */
export function feeOfMinutes(schedule: FeeSchedule, entry: Moment, minutes: number): StayFee {
  const { terms } = schedule
  if (minutes <= 0) return { minutes: 0, fee: 0, blocks: [] }
  if (minutes <= terms.freeMinutes)
    return { minutes, fee: 0, blocks: [freeBlock(entry, minutes, terms.freeMinutes)] }
  const context = {
    chargedFrom: terms.isFreeIncluded ? terms.freeMinutes : 0,
    paidNights: new Set<Day>(),
  }
  const blocks = blocksOf(terms.capType, entry, minutes).map((block, i) =>
    priceBlock(schedule, entry, block, { ...context, isFirst: i === 0 }),
  )
  return { minutes, fee: sumFen(blocks.map(block => block.fee)), blocks }
}

export const feeOfStay = (schedule: FeeSchedule, entry: Moment, exit: Moment): StayFee =>
  feeOfMinutes(schedule, entry, stayMinutes(entry, exit))
