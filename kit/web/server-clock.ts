/** How far the server's clock is ahead of this computer's, in ms; known after the first answer. */
let aheadMs = 0

/**
 * Notes the `Date` of an answer. It has whole seconds and was written before the answer came: the time is
 * never ahead of the server's.
 */
export function noteServerDate(header: string | null): void {
  const ms = header === null ? NaN : Date.parse(header)
  if (!Number.isNaN(ms)) {
    aheadMs = ms - Date.now()
  }
}

/** The time as the server has it, whatever the clock of this computer or telephone says. */
export const serverNow = (): number => Date.now() + aheadMs
