import { type ChoiceOf, labelOf } from '#kit/contract/field.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { reconcileItemState } from '../contract/choices.ts'

export type ReconcileItemState = ChoiceOf<typeof reconcileItemState>

/**
 * A difference comes back to 待处理 when it shows again after it was settled, or shows another sum after
 * somebody dealt with it.
 */
export const reconcileItemStates = defineStateMachine<ReconcileItemState>(
  {
    pending: ['settled', 'handled', 'escalated'],
    escalated: ['settled', 'handled'],
    settled: ['pending'],
    handled: ['pending'],
  },
  { state: s => labelOf(reconcileItemState, s) },
)

/** Why somebody can do nothing about it now. */
export const handleRefusal = (
  state: ReconcileItemState,
  newState: 'handled' | 'escalated',
): string | undefined =>
  reconcileItemStates.canTransition(state, newState)
    ? undefined
    : `该笔差异${labelOf(reconcileItemState, state)}，不能再${newState === 'handled' ? '处理' : '升级'}`
