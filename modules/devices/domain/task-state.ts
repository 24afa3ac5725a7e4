import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { type ChoiceOf, labelOf } from '#kit/contract/field.ts'
import { taskState } from '../contract/choices.ts'

export type TaskState = ChoiceOf<typeof taskState>

/** RMT-1 */
export const taskStates = defineStateMachine<TaskState>(
  {
    sent: ['received', 'done', 'failed', 'timedOut'],
    received: ['done', 'failed', 'timedOut'],
    done: [],
    failed: [],
    timedOut: [],
  },
  { state: key => labelOf(taskState, key) },
)

export const isTaskOpen = (state: TaskState): boolean => taskStates.nextStates(state).length > 0
