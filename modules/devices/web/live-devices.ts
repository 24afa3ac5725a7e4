import type { Call } from '#kit/contract/call.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }

/** Refetches these calls while devices and gateways report changes. */
export const useLiveDevices = (...calls: readonly Call[]): void => useLiveRefetch(liveDevices, calls)
