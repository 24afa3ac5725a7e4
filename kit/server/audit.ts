import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from './db.ts'
import type { Scope } from './scope.ts'
import { valuesByKey } from './column-storage.ts'

/**
 * One thing done to one record, in the transaction that did it (G-9). Ids without foreign keys: history
 * blocks nothing.
 */
export interface AuditEntry {
  readonly action:
    | 'insert'
    | 'update'
    | 'delete'
    | 'restore'
    | 'purge'
    | 'state'
    | 'import'
    | 'export'
    | 'grant'
    | 'signin'
    | 'reveal'
    | 'refused'
  readonly entity: string
  readonly entityId: Id
  readonly projectCode?: string | undefined
  readonly before?: object | undefined
  readonly after?: object | undefined
  readonly reason?: string | undefined
}

/** Sent together with the commit, as nobody reads it before. Returns at once. */
export async function audit(
  tx: Pick<Tx, 'defer'>,
  actor: Pick<Scope, 'ownerId' | 'operatorId' | 'name' | 'ip' | 'requestId'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (!entries.length) return
  const rows = entries.map(auditEntry => ({
    ...keepChangedFields(auditEntry),
    action: auditEntry.action,
    entity: auditEntry.entity,
    entity_id: auditEntry.entityId,
    project_code: auditEntry.projectCode,
    reason: auditEntry.reason,
  }))
  tx.defer(sql`
    insert into audit_log (
      owner_id, operator_id, operator_name, ip, request_id, action, entity, entity_id, project_code, before,
      after, reason
    )
    select ${actor.ownerId}::bigint, ${actor.operatorId}::bigint, ${actor.name}::text, ${actor.ip}::text,
      ${actor.requestId}::text, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      action text, entity text, entity_id bigint, project_code text, before jsonb, after jsonb, reason text
    )
    returning id
  `)
}

/** A change keeps what differs; the first and the last state are kept whole. */
function keepChangedFields(auditEntry: AuditEntry): {
  before?: object | undefined
  after?: object | undefined
} {
  if (!auditEntry.before || !auditEntry.after) return { before: auditEntry.before, after: auditEntry.after }
  const before = valuesByKey(auditEntry.before)
  const after = valuesByKey(auditEntry.after)
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    k => !['version', 'updateTime'].includes(k) && JSON.stringify(before[k]) !== JSON.stringify(after[k]),
  )
  const pick = (v: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(differing.map(k => [k, v[k] ?? null]))
  return { before: pick(before), after: pick(after) }
}
