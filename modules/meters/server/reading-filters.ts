import { flagFilter } from '#kit/server/sql.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { listReadings } from '../contract/reading.ts'
import { doubtfulReading } from './reading-conditions.ts'

export type ReadingListInput = NonNullable<typeof listReadings.input.T>

/**
 * What a search asks beyond its plain column filters: for the list, its export and deleting by it (EXP-1,
 * BILL-1).
 */
export const readingConditions = (q: ReadingListInput): RawBuilder<unknown>[] => [
  ...flagFilter(q.doubtful, doubtfulReading('t')),
  ...(q.meterId === undefined ? [] : [sql`t.meter_id = ${q.meterId}`]),
]

export const toReadingColumnFilters = ({ doubtful: _doubtful, meterId: _meterId, ...q }: ReadingListInput) =>
  q

/** Keys of a search that do not narrow it: without another one it would delete everything. */
const unfilteringKeys = new Set(['page', 'size', 'order', 'projectCode', 'expected', 'reason'])

export const hasFilter = (q: object): boolean =>
  Object.entries(q).some(
    ([key, value]) =>
      value !== undefined && !unfilteringKeys.has(key) && (!Array.isArray(value) || value.length > 0),
  )
