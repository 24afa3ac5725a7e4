import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { Room } from '../contract/room.ts'
import { roomState, type RoomState } from '../contract/labels.ts'

/**
 * Which state may follow which (BASE-6). A room is sold, delivered, then used; what was delivered stays so,
 * except by except by that says why.
 */
export const roomStateMachine = defineStateMachine<RoomState, 'decorateBegin'>(
  {
    unsold: ['pending', 'own'],
    pending: ['vacant', 'unsold', 'own'],
    vacant: ['lived', 'let', 'fitting', 'own', 'pending', 'unsold'],
    lived: ['vacant', 'let', 'fitting', 'own'],
    let: ['vacant', 'lived', 'fitting', 'own'],
    fitting: { next: ['vacant', 'lived', 'let', 'own'], requires: ['decorateBegin'] },
    own: ['vacant', 'let', 'fitting', 'unsold'],
  },
  { state: state => labelOf(roomState, state), field: () => '装修开始' },
)

export const beforeDelivery: readonly RoomState[] = ['unsold', 'pending']

/**
 * Why a room may not go to a state. Delivery asks its date; going back to before delivery asks a reason of 2
 * characters at least.
 */
export function roomStateFault(
  room: Pick<Room, 'roomState' | 'deliverDate' | 'decorateBegin'>,
  nextState: RoomState,
  reason?: string,
): string | undefined {
  const fault = roomStateMachine.checkTransition(room.roomState, nextState, room)
  if (fault) return fault
  if (room.roomState === 'pending' && nextState === 'vacant' && !room.deliverDate)
    return `改为“${labelOf(roomState, nextState)}”前请先填写“交付日期”`
  return beforeDelivery.includes(nextState) &&
    room.roomState !== 'unsold' &&
    [...(reason ?? '').trim()].length < 2
    ? `退回“${labelOf(roomState, nextState)}”请填写原因`
    : undefined
}

/** The dates on which a room entered its states. */
type StateDates = Partial<Pick<Room, 'deliverDate' | 'checkinDate' | 'decorateBegin'>>

/** The field with the date on which a room entered a state. */
const beginDates: Readonly<Partial<Record<RoomState, keyof StateDates>>> = {
  vacant: 'deliverDate',
  lived: 'checkinDate',
  let: 'checkinDate',
  fitting: 'decorateBegin',
}

/** The day from which the new state is valid: the day entered for it, never a future day (C27-7). */
export function stateEffectiveDate(
  nextState: RoomState,
  { effectiveDate, ...dates }: StateDates & { readonly effectiveDate?: Day | undefined },
  today: Day,
): Day {
  const begin = beginDates[nextState]
  const entered = effectiveDate ?? (begin && dates[begin]) ?? today
  return entered < today ? entered : today
}

/** Lived in, let, in own use (STAT-9). */
export const occupiedStates: readonly RoomState[] = ['lived', 'let', 'own']
export const deliveredStates: readonly RoomState[] = ['vacant', 'lived', 'let', 'fitting', 'own']

/**
 * The state of a new room where the sheet has none: a room with a resident is no longer for sale (BASE-6).
 */
export function importedRoomState(
  { deliverDate, checkinDate }: StateDates,
  hasResident: boolean,
  today: Day,
): RoomState {
  if (!hasResident) return 'unsold'
  if (checkinDate && checkinDate <= today) return 'lived'
  return deliverDate && deliverDate > today ? 'pending' : 'vacant'
}
