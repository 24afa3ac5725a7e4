import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { transferState } from '../contract/choices.ts'

export type TransferState = ChoiceOf<typeof transferState>

/** ACC-11 */
export const transferStates = defineStateMachine<TransferState>(
  { pending: ['done', 'rejected', 'cancelled'], done: [], rejected: [], cancelled: [] },
  { state: s => labelOf(transferState, s) },
)

/** ACC-11: the applicant may not also approve. */
export const auditRefusal = (applicant: number, auditor: number): string | undefined =>
  applicant === auditor ? '申请人不能审核自己的转账，请由其他人审核' : undefined
