import { Refused, type FieldFault } from '#kit/contract/wire.ts'

/** The message shown for a failed call: the fault of its first field, otherwise its own message. */
export function errorMessageOf(error: unknown, fallback: string): string {
  const faults = error instanceof Refused ? (error.data as readonly FieldFault[] | null) : null
  return faults?.[0]?.Message ?? (error instanceof Error ? error.message : fallback)
}
