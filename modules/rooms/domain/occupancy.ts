import { text } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import type { Dec } from '#kit/domain/decimal.ts'
import type { RoomState } from '../contract/words.ts'
import { delivered, occupied } from './state.ts'

export type Counts = Partial<Record<RoomState, number>>
const sum = (c: Counts, of: readonly RoomState[]): number => of.reduce((n, s) => n + (c[s] ?? 0), 0)

/**
 * Occupied ÷ delivered in percent, two decimals half-up; nothing while no room is delivered (STAT-9,
 * STAT-13). T-STAT-06: 412 of 520 → 79.23.
 */
export const occupancyOf = (c: Counts): Dec | undefined => {
  const n = sum(c, delivered)
  return n ? text(roundRatio(ratio(sum(c, occupied) * 100, n), 2)) : undefined
}

export const occupiedOf = (c: Counts): number => sum(c, occupied)
export const roomsOf = (c: Counts): number => Object.values(c).reduce((n, x) => n + x, 0)
