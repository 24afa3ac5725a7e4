import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'

/** Held until the transaction ends: one writer of a project's settings after the other. */
export const lockProject = (tx: Tx, { ownerId }: Scope, projectCode: string): Promise<unknown> =>
  tx.rows(sql`
    select id
    from estate
    where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
    for update
  `)
