import { labelOf } from '#kit/contract/field.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { elevatorState, type ElevatorState } from '../contract/choices.ts'

/** ELV-1: what people change; into a trapped-person alarm and out of it leads the alarm alone. */
export const elevatorStates = defineStateMachine<ElevatorState>(
  {
    running: ['stopped', 'repair'],
    stopped: ['running', 'repair'],
    repair: ['running', 'stopped'],
    trapped: [],
  },
  { state: state => labelOf(elevatorState, state) },
)

/** Why a lift cannot be brought into a state; nothing where it can. */
export function stateFault(from: ElevatorState, to: ElevatorState): string | undefined {
  if (from === 'trapped') return '电梯正在困人报警，请先在「困人报警」中解除'
  if (to === 'trapped') return '困人报警由设备报告，不能手工设置'
  if (from === to) return `电梯已是${labelOf(elevatorState, to)}状态`
  return elevatorStates.canTransition(from, to) ? undefined : elevatorStates.checkTransition(from, to)
}
