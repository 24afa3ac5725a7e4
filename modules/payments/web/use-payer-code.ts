import { useEffect, useReducer } from 'react'
import {
  isSameCharge,
  nextPayerCode,
  noPayerCode,
  payerCodeLifetimeMs,
  type Charge,
  type PayerCodeState,
} from '../domain/payer-code.ts'

export interface PayerCode extends Pick<PayerCodeState, 'lost' | 'hasChosenMethod'> {
  readonly code: string | undefined
  readonly read: (code: string, isMethodChosen: boolean) => void
  readonly clear: () => void
  readonly chooseMethod: (isScan: boolean) => void
  /** The code, to be sent now: it is held no more, whatever comes of it. */
  readonly take: () => string | undefined
}

/** The payer's code that was read for `charge`; it goes with the charge, its minute, and the page. */
export function usePayerCode(charge: Charge): PayerCode {
  const [state, dispatch] = useReducer(nextPayerCode, noPayerCode)
  const { stored, lost, hasChosenMethod } = state
  // Before anything is drawn: no other charge ever sees the code.
  if (stored && !isSameCharge(stored.charge, charge)) {
    dispatch({ type: 'chargeShown', charge })
  }
  useEffect(() => {
    if (!stored) return
    const expire = (): void => dispatch({ type: 'timePassed', at: Date.now() })
    const timer = setTimeout(expire, stored.readAt + payerCodeLifetimeMs - Date.now())
    return () => clearTimeout(timer)
  }, [stored])
  // Also where the page stays behind another one.
  useEffect(() => () => dispatch({ type: 'cleared' }), [])
  return {
    code: stored?.code,
    lost,
    hasChosenMethod,
    read: (code, isMethodChosen) => dispatch({ type: 'read', code, at: Date.now(), charge, isMethodChosen }),
    clear: () => dispatch({ type: 'cleared' }),
    chooseMethod: isScan => dispatch({ type: 'methodChosen', isScan }),
    take: () => {
      // A sleeping machine's timers come late.
      const { stored: fresh } = nextPayerCode(state, { type: 'timePassed', at: Date.now() })
      dispatch(fresh ? { type: 'sent' } : { type: 'timePassed', at: Date.now() })
      return fresh?.code
    },
  }
}
