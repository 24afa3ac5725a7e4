import type { Call } from '#kit/contract/call.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'

const liveChargers = { topic: 'chargers', kind: 'chargers', pauseMs: 1000 }

/** Piles and what is charged at them, as they report it. */
export const useLiveChargers = (...calls: readonly Call[]): void => useLiveRefetch(liveChargers, calls)
