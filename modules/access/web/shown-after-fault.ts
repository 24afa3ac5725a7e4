import { Refused } from '#kit/contract/wire.ts'

/** Without a network the code on the screen is still the one that opens; what the server refuses ends it. */
export const shownAfterFault = <T>(shown: T | undefined, error: unknown): T | undefined =>
  error instanceof Refused ? undefined : shown
