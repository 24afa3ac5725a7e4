import { Refused, type FieldFault } from '#kit/contract/wire.ts'

/** What a person is told of a failed call: the fault of its first field, otherwise its own message. */
export function errorMessageOf(error: unknown, fallback: string): string {
  const faults = error instanceof Refused ? (error.data as readonly FieldFault[] | null) : null
  return faults?.[0]?.Message ?? (error instanceof Error ? error.message : fallback)
}
