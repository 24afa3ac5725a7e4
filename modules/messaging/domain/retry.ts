/** After so many minutes each a busy provider is tried again; then the message is given up. */
const laterMinutes: readonly number[] = [1, 5, 30, 120, 360]
/** What the provider or the settings are the cause of waits until it is mended, three days at most. */
const serverMinutes: readonly number[] = [1, 5, 15, 30, ...Array<number>(71).fill(60)]

/** Minutes until the next attempt after so many; undefined where no other is made. */
export const retryAfter = (kind: 'later' | 'server', attempts: number): number | undefined =>
  (kind === 'server' ? serverMinutes : laterMinutes)[attempts - 1]
