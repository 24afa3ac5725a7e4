/** The codes of payers' phones are good for a minute. */
export const payerCodeLifetimeMs = 60_000

interface StoredCode {
  readonly code: string
  /** Milliseconds since 1970. */
  readonly readAt: number
  readonly charge: Charge
}

/** What a code was read for. */
export interface Charge {
  /** Whose bills, as they were opened. */
  readonly opening: string
  /** The selected bills and their sum. */
  readonly bills: string
}

/** A payer's code that a scanner has read and that has not been sent; it pays one charge, once. */
export interface PayerCodeState {
  readonly stored?: StoredCode
  /** Why the last one is held no more, where nobody asked for that. */
  readonly lost?: 'expired' | 'reopened' | 'changed'
  /** The code has turned the method to 扫码枪; the next one takes no money without being asked. */
  readonly hasChosenMethod: boolean
}

export const noPayerCode: PayerCodeState = { hasChosenMethod: false }

type PayerCodeEvent =
  | {
      readonly type: 'read'
      readonly code: string
      readonly at: number
      readonly charge: Charge
      /** 扫码枪 was chosen already. */
      readonly isMethodChosen: boolean
    }
  | { readonly type: 'chargeShown'; readonly charge: Charge }
  | { readonly type: 'timePassed'; readonly at: number }
  | { readonly type: 'cleared' }
  | { readonly type: 'sent' }
  | { readonly type: 'methodChosen'; readonly isScan: boolean }

const without = ({ hasChosenMethod }: PayerCodeState, lost?: PayerCodeState['lost']): PayerCodeState => ({
  hasChosenMethod,
  ...(lost ? { lost } : {}),
})

const isExpired = ({ readAt }: StoredCode, at: number): boolean => at - readAt >= payerCodeLifetimeMs

export const isSameCharge = (a: Charge, b: Charge): boolean => a.opening === b.opening && a.bills === b.bills

function afterCharge(state: PayerCodeState, before: Charge, now: Charge): PayerCodeState {
  if (isSameCharge(before, now)) return state
  return without(state, before.opening === now.opening ? 'changed' : 'reopened')
}

/** The same state where nothing changes. */
export function nextPayerCode(state: PayerCodeState, event: PayerCodeEvent): PayerCodeState {
  const { stored, hasChosenMethod } = state
  switch (event.type) {
    case 'read':
      return {
        stored: { code: event.code, readAt: event.at, charge: event.charge },
        hasChosenMethod: hasChosenMethod || !event.isMethodChosen,
      }
    case 'chargeShown':
      return stored ? afterCharge(state, stored.charge, event.charge) : state
    case 'timePassed':
      return stored && isExpired(stored, event.at) ? without(state, 'expired') : state
    case 'cleared':
    case 'sent':
      return (stored ?? state.lost) ? without(state) : state
    case 'methodChosen':
      return event.isScan ? { ...state, hasChosenMethod: false } : noPayerCode
  }
}
