import { formatExact } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import type { Dec } from '#kit/domain/decimal.ts'
import type { RoomState } from '../contract/labels.ts'
import { deliveredStates, occupiedStates } from './room-state.ts'

export type RoomStateCounts = Partial<Record<RoomState, number>>
const sumStates = (c: RoomStateCounts, of: readonly RoomState[]): number =>
  of.reduce((n, s) => n + (c[s] ?? 0), 0)

/**
 * Occupied ÷ delivered in percent, two decimals half-up; nothing while no room is delivered (STAT-9,
 * STAT-13). T-STAT-06: 412 of 520 → 79.23.
 */
export const occupancyRateOf = (c: RoomStateCounts): Dec | undefined => {
  const n = sumStates(c, deliveredStates)
  return n ? formatExact(roundRatio(ratio(sumStates(c, occupiedStates) * 100, n), 2)) : undefined
}

export const countOccupied = (c: RoomStateCounts): number => sumStates(c, occupiedStates)
export const countRoomsInStates = (c: RoomStateCounts): number => Object.values(c).reduce((n, x) => n + x, 0)
