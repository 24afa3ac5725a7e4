import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from './db.ts'

/**
 * Personal data that is no longer kept goes from the history of its records too: what was done, when and by
 * whom stays.
 */
export const forgetAuditedValues = (
  tx: Tx,
  ownerId: Id,
  entity: string,
  ids: readonly Id[],
): Promise<number> =>
  tx.execute(sql`
    update audit_log
    set before = null, after = null
    where owner_id = ${ownerId} and entity = ${entity} and entity_id = any(${[...ids]}::bigint[])
  `)
