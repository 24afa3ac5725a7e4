import type { Permission } from '#kit/contract/call.ts'
import type { PayRecord } from '../contract/record.ts'

// The light half of the public part: what costs the start of another module nothing.
export type ActionableRecord = Pick<
  PayRecord,
  'id' | 'recordType' | 'state' | 'tenderedAmount' | 'invoicedAmount' | 'incomeAmount'
>

/**
 * What another module offers to do with a payment, on a screen of its own; declared in its
 * `web/extensions.ts`.
 */
export interface RecordAction {
  readonly label: string
  readonly needs: Permission
  readonly isApplicable: (r: ActionableRecord) => boolean
  readonly pathOf: (r: ActionableRecord) => string
}

const registeredActions: RecordAction[] = []

export const registerRecordAction = (a: RecordAction): void => {
  if (!registeredActions.some(x => x.label === a.label)) {
    registeredActions.push(a)
  }
}

export const recordActionsOf = (r: ActionableRecord): readonly RecordAction[] =>
  registeredActions.filter(a => a.isApplicable(r))
export { recordPath } from './paths.ts'
export { cashierExtensions } from './cashier-extensions.ts'
