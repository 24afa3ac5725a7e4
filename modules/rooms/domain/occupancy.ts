import { formatExact } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { RoomState } from '../contract/labels.ts'
import { deliveredStates, occupiedStates } from './room-state.ts'

export type RoomStateCounts = Partial<Record<RoomState, number>>
const sumStates = (counts: RoomStateCounts, states: readonly RoomState[]): number =>
  states.reduce((delivered, s) => delivered + (counts[s] ?? 0), 0)

/**
 * Occupied ÷ delivered in percent, two decimals half-up; nothing while no room is delivered (STAT-9,
 * STAT-13). T-STAT-06: 412 of 520 → 79.23.
 */
export const occupancyRateOf = (counts: RoomStateCounts): Decimal | undefined => {
  const delivered = sumStates(counts, deliveredStates)
  return delivered
    ? formatExact(roundRatio(ratio(sumStates(counts, occupiedStates) * 100, delivered), 2))
    : undefined
}

export const countOccupied = (counts: RoomStateCounts): number => sumStates(counts, occupiedStates)
export const countRoomsInStates = (counts: RoomStateCounts): number =>
  Object.values(counts).reduce((delivered, x) => delivered + x, 0)
