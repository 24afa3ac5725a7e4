import { readStored, saveStored } from './browser-store.ts'

/** How far the server's clock is ahead of this computer's, in ms; known after the first response. */
let aheadMs: number | undefined

/** The last known value, for pages that open without a network. */
const storeKey = 'server-ahead'

/** Smaller differences come from the time that a response takes, not from the clocks. */
const minChangeMs = 60_000

/**
 * Notes the `Date` header of a response. It has whole seconds and was written before the response arrived, so
 * `serverNow` is never ahead of the server.
 */
export function noteServerDate(header: string | null): void {
  const ms = header === null ? NaN : Date.parse(header)
  if (Number.isNaN(ms)) return
  aheadMs = ms - Date.now()
  if (Math.abs(aheadMs - readStored(storeKey, 0)) > minChangeMs) {
    saveStored(storeKey, aheadMs)
  }
}

/** The server's time, even where the clock of this computer or phone is wrong. */
export const serverNow = (): number => Date.now() + (aheadMs ?? readStored(storeKey, 0))
