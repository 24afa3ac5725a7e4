import type { ChoiceOf } from '#kit/contract/field.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { offlineMethods, type payMethod } from '../contract/choices.ts'
import { readTypedYuan } from './typed-amount.ts'

type PayMethod = ChoiceOf<typeof payMethod>

/** A further method of a mixed payment, its amount as typed. */
export interface OtherTender {
  readonly method: PayMethod
  readonly text: string
}

export interface TypedTender {
  readonly method: PayMethod
  /** Absent: what the other methods leave open. */
  readonly receivedText?: string | undefined
  readonly others: readonly OtherTender[]
}

/** Transfers go with cash more often than anything else. */
const addedMethods: readonly PayMethod[] = ['transfer', ...offlineMethods]

/**
 * One method more (PAY-15). What was typed stays, and the new line has what is still missing; an amount that
 * is what was asked for goes on following the others. Due 153.66: 100.00 typed → 100.00 and 53.66; 153.66
 * typed → 153.66 and nothing yet.
 */
export function addTender(
  { method, receivedText, others }: TypedTender,
  { open, shortfall }: { readonly open: Fen; readonly shortfall: Fen },
): Omit<TypedTender, 'method'> {
  const used = new Set([method, ...others.map(other => other.method)])
  const received = receivedText === undefined ? open : readTypedYuan(receivedText)
  const added: OtherTender = {
    method: addedMethods.find(candidate => !used.has(candidate)) ?? 'transfer',
    text: received !== undefined && shortfall > 0 ? formatYuan(shortfall, { thousands: true }) : '',
  }
  return { receivedText: received === open ? undefined : receivedText, others: [...others, added] }
}
