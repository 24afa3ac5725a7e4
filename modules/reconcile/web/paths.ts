import type { Id } from '#kit/domain/id.ts'

/** Where a day's reconciliation is shown. */
export const reconcileDayPath = (id: Id): string => `/finance/chargemanage/reconcile/day/${id}`
