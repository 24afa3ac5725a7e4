import type { Permission } from '#kit/contract/call.ts'
import type { PayRecord } from '../contract/record.ts'

// The light half of the public door: what costs the start of another module nothing.
export type Acted = Pick<
  PayRecord,
  'id' | 'recordType' | 'state' | 'receivedAmount' | 'invoicedAmount' | 'incomeAmount'
>

/**
 * What another module offers to do with a payment, on a screen of its own; declared in its `web/provides.ts`.
 */
export interface RecordAct {
  readonly label: string
  readonly may: Permission
  readonly suits: (r: Acted) => boolean
  readonly to: (r: Acted) => string
}

const acts: RecordAct[] = []

export const declareRecordAct = (a: RecordAct): void => {
  if (!acts.some(x => x.label === a.label)) {
    acts.push(a)
  }
}

export const recordActs = (r: Acted): readonly RecordAct[] => acts.filter(a => a.suits(r))
export { seeRecord } from './places.ts'
