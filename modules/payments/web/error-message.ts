import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { Refused } from '#kit/contract/wire.ts'

/** The message shown for a failed call: the fault of its first field, otherwise its own message. */
export function errorMessageOf(error: unknown, fallback: string): string {
  const fault = error instanceof Refused ? fieldFaultsOf(error)[0] : undefined
  return fault?.Message ?? (error instanceof Error ? error.message : fallback)
}
