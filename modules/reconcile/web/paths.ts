/** Where a day's reconciliation is shown. */
export const reconcileDayPath = (id: number): string => `/finance/chargemanage/reconcile/day/${id}`
