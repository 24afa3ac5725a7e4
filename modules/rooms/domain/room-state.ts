import { labelOf } from '#kit/contract/field.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { Room } from '../contract/room.ts'
import { roomState, type RoomState } from '../contract/labels.ts'

/**
 * Who may follow whom (BASE-6). A room is sold, delivered, then used; what was delivered stays so, except by
 * a way back that says why.
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
  { state: s => labelOf(roomState, s), field: () => '装修开始' },
)

const beforeDelivery: readonly RoomState[] = ['unsold', 'pending']

/**
 * Why a room may not go to a state. Delivery asks its date; going back to before delivery asks a reason of 2
 * characters at least.
 */
export function roomStateFault(
  r: Pick<Room, 'roomState' | 'deliverDate' | 'decorateBegin'>,
  to: RoomState,
  reason?: string,
): string | undefined {
  const fault = roomStateMachine.checkTransition(r.roomState, to, r)
  if (fault) return fault
  if (r.roomState === 'pending' && to === 'vacant' && !r.deliverDate)
    return `改为“${labelOf(roomState, to)}”前请先填写“交付日期”`
  return beforeDelivery.includes(to) && r.roomState !== 'unsold' && [...(reason ?? '').trim()].length < 2
    ? `退回“${labelOf(roomState, to)}”请填写原因`
    : undefined
}

/** Lived in, let, in own use (STAT-9). */
export const occupiedStates: readonly RoomState[] = ['lived', 'let', 'own']
export const deliveredStates: readonly RoomState[] = ['vacant', 'lived', 'let', 'fitting', 'own']
