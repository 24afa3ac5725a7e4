import type { Id } from '#kit/domain/id.ts'
import { firstDay, shiftMonth, type Month } from '#kit/domain/month.ts'
import type { RawBuilder } from '#kit/server/db.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { validReading } from './reading-conditions.ts'

const columns = sqlFile(import.meta.dirname, 'month-grid-columns.sql', [
  'ownerId',
  'nextMonthStart',
  'yearAgo',
  'yearAgoStart',
  'validReading',
])

const joins = sqlFile(import.meta.dirname, 'month-grid-joins.sql', [
  'ownerId',
  'month',
  'previousMonthStart',
  'afterNextMonthStart',
  'validReading',
  'liveReplacement',
])

/** Columns of a meter `t` in its month; needs `meterMonthJoins`. */
export const meterMonthColumns = (ownerId: Id, month: Month): RawBuilder<unknown> =>
  columns({
    ownerId,
    nextMonthStart: firstDay(shiftMonth(month, 1)),
    yearAgo: shiftMonth(month, -12),
    yearAgoStart: firstDay(shiftMonth(month, -13)),
    validReading: validReading('x'),
  })

/** The readings of a meter `t` that its month needs. */
export const meterMonthJoins = (ownerId: Id, month: Month): RawBuilder<unknown> =>
  joins({
    ownerId,
    month,
    previousMonthStart: firstDay(shiftMonth(month, -1)),
    afterNextMonthStart: firstDay(shiftMonth(month, 2)),
    validReading: validReading('x'),
    liveReplacement: notDeleted('c'),
  })
