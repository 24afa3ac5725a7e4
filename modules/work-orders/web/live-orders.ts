import type { Call } from '#kit/contract/call.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'

const liveOrders = { topic: 'workOrders', kind: 'workOrder', pauseMs: 2000 }

const liveAccounts = { topic: 'accounts', kind: 'accounts', pauseMs: 2000 }

/** Refetches these calls while orders change. */
export const useLiveOrders = (...calls: readonly Call[]): void => useLiveRefetch(liveOrders, calls)

/** The same while the rights of people change: who may be given orders. */
export const useLiveReceivers = (...calls: readonly Call[]): void => useLiveRefetch(liveAccounts, calls)
