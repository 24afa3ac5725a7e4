/** Where a day's reconciliation is shown. */
export const seeDay = (id: number): string => `/finance/chargemanage/reconcile/day/${id}`
