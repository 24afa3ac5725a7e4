import { readStored, saveStored } from './browser-store.ts'

/** How far the server's clock is ahead of this computer's, in ms; known after the first answer. */
let aheadMs: number | undefined

/** As it was last: a page that opens without a network has no answer. */
const storeKey = 'server-ahead'

/** What an answer takes on its way is no difference of the clocks. */
const minChangeMs = 60_000

/**
 * Notes the `Date` of an answer. It has whole seconds and was written before the answer came: the time is
 * never ahead of the server's.
 */
export function noteServerDate(header: string | null): void {
  const ms = header === null ? NaN : Date.parse(header)
  if (Number.isNaN(ms)) return
  aheadMs = ms - Date.now()
  if (Math.abs(aheadMs - readStored(storeKey, 0)) > minChangeMs) {
    saveStored(storeKey, aheadMs)
  }
}

/** The time as the server has it, whatever the clock of this computer or phone says. */
export const serverNow = (): number => Date.now() + (aheadMs ?? readStored(storeKey, 0))
