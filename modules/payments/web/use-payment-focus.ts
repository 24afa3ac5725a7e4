import type { InputRef } from 'antd'
import { useEffect, useRef } from 'react'
import type { PayMode } from './pay-mode.ts'
import type { PaymentFault } from './use-collect-payment.ts'

/** Where the keys lead: the amount, then the method, then the button. */
export function usePaymentFocus(fault: PaymentFault | undefined, mode: PayMode | undefined) {
  const amount = useRef<InputRef>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLElement>(null)
  const focusAmount = (): void => amount.current?.focus({ cursor: 'all' })
  const focusMethod = (): void =>
    panel.current?.querySelector<HTMLElement>('[role=radio][tabindex="0"]')?.focus()
  // A channel takes the amount's field away: a focus that was in it stays in the panel.
  useEffect(() => {
    if (mode && document.activeElement === document.body) {
      focusMethod()
    }
  }, [mode])
  useEffect(() => {
    // A dialog that asked gives the focus back first.
    if (fault?.at === 'main') {
      setTimeout(focusAmount)
    }
    // The foot grows over what is above it: nothing is left half covered.
    if (fault?.at === 'foot') {
      panel.current?.scrollTo({ top: panel.current.scrollHeight })
    }
    if (typeof fault?.at === 'number') {
      panel.current?.querySelectorAll<HTMLInputElement>('.cashier-also input.ant-input')[fault.at]?.focus()
    }
  }, [fault])
  return {
    amount,
    submit,
    panel,
    focusAmount,
    focusMethod,
    focusSubmit: () => submit.current?.focus(),
    /** The index of the additional method that has the focus. */
    focusedTender: (): number | undefined => {
      const line = document.activeElement?.closest<HTMLElement>('.cashier-also')
      return line && panel.current?.contains(line) ? Number(line.dataset.tender) : undefined
    },
  }
}
