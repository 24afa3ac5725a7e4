import type { Permission } from '#kit/contract/call.ts'

// The light half of the public part: what costs the start of another module nothing.

/** Where the order of prepaid bills is paid, and who may; declared in the `web/extensions.ts` of payments. */
export interface PrepaidPayment {
  readonly needs: Permission
  readonly pathOf: (orderNo: string) => string
}

let registeredPayment: PrepaidPayment | undefined

export const registerPrepaidPayment = (payment: PrepaidPayment): void => {
  registeredPayment = payment
}

/** The page on which this person pays an order; undefined without the permission. */
export const prepaidPaymentPath = (
  hasPermission: (needs: Permission) => boolean,
  orderNo: string,
): string | undefined =>
  registeredPayment && hasPermission(registeredPayment.needs) ? registeredPayment.pathOf(orderNo) : undefined
