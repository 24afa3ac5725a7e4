/** Seconds before each new attempt (HOOK-2): soon at first, then ever later, for three days altogether. */
const retryDelays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600, 72_000, 72_000] as const

/** Milliseconds until the next attempt after so many, or nothing when it is given up. */
export function retryDelayMs(attempts: number): number | undefined {
  const seconds = retryDelays[attempts - 1]
  return seconds === undefined ? undefined : seconds * 1000
}

/** How often a delivery is tried altogether. */
export const maxAttempts = retryDelays.length + 1
