import { labelOf } from '#kit/contract/field.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { orderState, type OrderState } from '../contract/choices.ts'

/** C20; money that comes for a closed order goes back whole. */
export const orderStates = defineStateMachine<OrderState>(
  {
    waiting: ['starting', 'failed', 'closed'],
    starting: ['charging', 'settling', 'done', 'failed'],
    charging: ['settling', 'done', 'abnormal'],
    settling: ['done'],
    done: [],
    failed: [],
    abnormal: ['charging', 'settling', 'done'],
    closed: ['failed'],
  },
  { state: state => labelOf(orderState, state) },
)

/** Orders that have a port to themselves. */
export const openStates = ['waiting', 'starting', 'charging', 'abnormal'] as const
