import { sql } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** The columns `owner_id`, `create_by` and `update_by` of rows that a statement inserts. */
export const stampOf = ({ ownerId, operatorId }: Scope) =>
  sql`${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint`
