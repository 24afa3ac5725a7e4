import type { Id } from '#kit/domain/id.ts'

interface Versioned {
  readonly id: Id
  readonly version?: number | undefined
}

/**
 * Of a bill in a list and the same bill read separately, the one that was read later. Both are read again
 * after a change, one after the other: figures of the two must not be in one equation.
 */
export const newestBill = <Row extends Versioned, Whole extends Row>(
  row: Row,
  whole: Whole | undefined | null,
): Row => (whole?.id === row.id && (whole.version ?? 0) >= (row.version ?? 0) ? whole : row)
