import type { ChoiceOf } from '#kit/contract/field.ts'
import type { massState } from '../contract/choices.ts'

interface MassFigures {
  readonly state: ChoiceOf<typeof massState>
  readonly sentCount: number
  readonly failCount: number
}

/** Of a mass message that was submitted whole, by what became of it. */
export const finalState = ({ state, sentCount, failCount }: MassFigures): MassFigures['state'] => {
  if (state === 'cancelled') return 'cancelled'
  if (!failCount) return 'sent'
  return sentCount ? 'partly' : 'failed'
}
