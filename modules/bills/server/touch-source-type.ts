import { sql, type RawBuilder } from '#kit/server/db.ts'

/**
 * Named in an update of many bills or relations that concerns none of their generated columns: PostgreSQL 18
 * then reads the expressions of those columns once, not once a row, which doubles what a row costs. The value
 * stays as it is.
 */
export const touchSourceType = (alias: string): RawBuilder<unknown> =>
  sql.raw(`source_type = ${alias}.source_type`)
