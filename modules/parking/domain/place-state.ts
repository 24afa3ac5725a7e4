import { labelOf } from '#kit/contract/field.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { ParkPlace } from '../contract/park-place.ts'
import { placeState, type PlaceState } from '../contract/labels.ts'

/**
 * Which state may follow which (C10.1). A place is given out from being free and comes back to it; a let one
 * may be bought.
 */
export const placeStateMachine = defineStateMachine<PlaceState, 'endDate'>(
  {
    free: ['sold', 'let', 'own', 'off'],
    sold: ['free'],
    let: { next: ['free', 'sold'], requires: ['endDate'] },
    own: ['free'],
    off: ['free'],
  },
  { state: s => labelOf(placeState, s), field: () => '结束日期' },
)

/**
 * Why a place may not go to a state; nothing when it may. A child of a tandem pair is sold and let with its
 * parent alone.
 */
export function placeStateFault(
  place: Pick<ParkPlace, 'placeState' | 'parentPlaceId' | 'beginDate' | 'endDate'>,
  to: PlaceState,
  withParent: boolean,
): string | undefined {
  if (place.parentPlaceId && !withParent && (to === 'sold' || to === 'let'))
    return '子车位随母车位一起租售，请在母车位上操作'
  return placeStateMachine.checkTransition(place.placeState, to, place) ?? placeDateFault(place)
}

export const placeDateFault = (p: Pick<ParkPlace, 'beginDate' | 'endDate'>): string | undefined =>
  p.beginDate && p.endDate && p.endDate < p.beginDate ? '结束日期不能早于开始日期' : undefined

/** Given out (STAT-9). */
export const usedStates: readonly PlaceState[] = ['sold', 'let', 'own']
