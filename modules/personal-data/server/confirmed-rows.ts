import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { ConfirmedRows } from './person.ts'

export interface MentionKey {
  readonly tableName: string
  readonly rowKey: string
}

export const toConfirmedRows = (keys: readonly MentionKey[]): ConfirmedRows =>
  new Map(
    [...Map.groupBy(keys, key => key.tableName)].map(([table, rows]) => [table, rows.map(row => row.rowKey)]),
  )

/** The rows of others that somebody has confirmed for a request. */
export async function readConfirmed(db: Db, ownerId: Id, requestId: Id): Promise<ConfirmedRows> {
  const row = await db.one<{ mentions?: readonly MentionKey[] }>(sql`
    select run_mentions as mentions from erasure_request where owner_id = ${ownerId} and id = ${requestId}
  `)
  return toConfirmedRows(row?.mentions ?? [])
}
