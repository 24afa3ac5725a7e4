import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { notFound } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'

/** A record that was left as it is, and why. */
export interface RefusedRecord {
  readonly id: Id
  readonly code: string
  readonly reason: string
}

interface Judged<T> {
  readonly allowed: readonly T[]
  readonly refused: readonly RefusedRecord[]
}

/** Which of these records an action may be done to; the others with what people call them and the reason. */
export function judgeRecords<T extends { readonly id: Id }>(
  records: readonly T[],
  refusalOf: (record: T) => string | undefined,
  nameOf: (record: T) => string,
): Judged<T> {
  const judged = records.map(record => ({ record, reason: refusalOf(record) }))
  return {
    allowed: judged.flatMap(({ record, reason }) => (reason === undefined ? [record] : [])),
    refused: judged.flatMap(({ record, reason }) =>
      reason === undefined ? [] : [{ id: record.id, code: nameOf(record), reason }],
    ),
  }
}

/**
 * The answer of a bulk call (G-11): to how many it was done, and which failed with the reason. What was asked
 * for and not found failed too.
 */
export function bulkResultOf(
  asked: readonly (Id | string)[],
  found: readonly { readonly id: Id }[],
  refused: readonly RefusedRecord[],
  done: number = found.length - refused.length,
): BulkResult {
  const foundIds = new Set(found.map(record => record.id))
  const missing = [...new Set(asked.map(parseId))].filter(id => !foundIds.has(id))
  return {
    success: done,
    fail: refused.length + missing.length,
    skipped: 0,
    rows: [...refused, ...missing.map(id => ({ id, reason: notFound().message }))],
  }
}
