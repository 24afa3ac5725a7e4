import { Refused } from '#kit/contract/wire.ts'
import { fieldFaultsOf } from '../refusal-faults.ts'

/** What the server refused, in its own words: of the first field, else of the whole; else what is missing. */
export const describeRefusal = (error: unknown, offline: string): string =>
  error instanceof Refused ? (fieldFaultsOf(error)[0]?.Message ?? error.message) : offline
