import { createContext, use, useEffect, type RefObject } from 'react'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { PayMethod } from './cashier-methods.tsx'
import type { TenderForm } from './use-tender-form.ts'
import type { PayMode } from './pay-mode.ts'

/** How the counter would take money now. */
export interface CounterChoice {
  readonly method: PayMethod
  /** Set: through a channel. */
  readonly mode?: PayMode | undefined
  /** Change above it is asked about. */
  readonly changeLimit: Fen
}

/** The default outside the cashier. */
export const defaultCounterChoice: CounterChoice = { method: 'cash', changeLimit: asFen(20_000) }

/** What the payment beside the bills has chosen, for what is paid in a dialog of its own. */
export const CounterChoiceContext = createContext<RefObject<CounterChoice>>({
  current: defaultCounterChoice,
})

export function useShareCounterChoice(
  { choices, channel }: TenderForm,
  { changeLimit }: Pick<CounterChoice, 'changeLimit'>,
): void {
  const shared = use(CounterChoiceContext)
  useEffect(() => {
    shared.current = { method: choices.method, mode: channel?.mode, changeLimit }
  })
}
