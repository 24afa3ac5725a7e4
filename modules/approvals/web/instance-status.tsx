import { labelOf, type Tone } from '#kit/contract/field.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { instanceState } from '../contract/choices.ts'
import type { ProcessInstance } from '../contract/instance.ts'

type StateFacts = Pick<ProcessInstance, 'state' | 'isReturned'>

/** The label of the state; of a returned request, that its applicant has to act (APR-4). */
export const stateTextOf = ({ state, isReturned }: StateFacts): string =>
  isReturned ? '已退回' : labelOf(instanceState, state)

export const stateToneOf = ({ state, isReturned }: StateFacts): Tone | undefined =>
  isReturned ? 'todo' : instanceState.rows[state][2]

export const InstanceStatus = ({ instance }: { readonly instance: StateFacts }) =>
  instance.isReturned ? (
    <Status tone="todo">{stateTextOf(instance)}</Status>
  ) : (
    <ChoiceStatus choices={instanceState} value={instance.state} />
  )
