import { parseId, type Id } from '#kit/domain/id.ts'
import { columnOf, type Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { RowValues } from '#kit/contract/shape.ts'
import { notFound, staleVersion } from '#kit/contract/wire.ts'
import { audit, type AuditEntry } from '../audit.ts'
import { columnValues, toEntityRow, toStored, valuesByKey, writtenColumns } from '../column-storage.ts'
import { sql, type Tx } from '../db.ts'
import { publishRecordsWritten, publishRowsWritten, type RecordChange } from '../record-events.ts'
import type { Scope } from '../scope.ts'
import { createdColumns, createdValues, notDeleted, touch } from '../sql.ts'
import { analyzeIfGrown } from '../table-statistics.ts'
import type { Sql } from './columns.ts'
import { assertInDomain, assertListInDomain } from './filter.ts'
import { findStoredByIds, requireStoredById } from './read.ts'

const auditEntryOf = (
  entity: Entity,
  action: AuditEntry['action'],
  entityId: Id,
  before: object | undefined,
  after: object | undefined,
  reason?: string,
): AuditEntry => {
  const projectCode = valuesByKey(after ?? before ?? {}).projectCode
  return {
    action,
    entity: entity.name,
    entityId,
    projectCode: typeof projectCode === 'string' ? projectCode : undefined,
    before,
    after,
    reason,
  }
}

/** One change for each project: a bulk write of thousands of rows stays a few statements. */
function publishRows(
  tx: Tx,
  { ownerId }: Scope,
  entity: Entity,
  action: RecordChange['action'],
  rows: readonly { readonly id: Id; readonly value: object }[],
): void {
  const projectOf = (value: object): string | undefined => {
    const { projectCode } = valuesByKey(value)
    return typeof projectCode === 'string' ? projectCode : undefined
  }
  publishRowsWritten(
    tx,
    ownerId,
    { entity: entity.name, action },
    rows.map(({ id, value }) => ({ id, projectCode: projectOf(value) })),
  )
}

/** Adds one record and its audit row; returns it as it is stored. */
export async function insert<F extends Fields>(
  tx: Tx,
  entity: Entity<F>,
  scope: Scope,
  value: RowValues<NoInfer<F>>,
): Promise<ValueOf<F>> {
  assertInDomain(entity, scope, valuesByKey(value), true)
  assertListInDomain(entity, scope, valuesByKey(value))
  const columns = columnValues(entity, value)
  const made = await tx.one<{ id: Id }>(sql`
    insert into ${sql.table(entity.table)} (
      ${createdColumns}, ${sql.join(columns.map(([column]) => sql.id(column)))}
    )
    values (${createdValues(scope)}, ${sql.join(columns.map(([, stored]) => sql`${stored}`))})
    returning id
  `)
  if (!made) throw new Error(`${entity.table}: the new row was not returned`)
  const row = toEntityRow(entity, await requireStoredById(tx, entity, scope, made.id))
  await audit(tx, scope, [auditEntryOf(entity, 'insert', made.id, undefined, row)])
  publishRows(tx, scope, entity, 'insert', [{ id: made.id, value: row }])
  return row
}

/** Values as rows that a statement over a set can take: `r` with the columns that any of them has. */
export function recordsetOf(
  entity: Entity,
  values: readonly object[],
): { readonly columns: readonly string[]; readonly as: Sql } {
  const keys = new Set(values.flatMap(value => Object.keys(value)))
  const columns = writtenColumns(entity, key => keys.has(key))
  const rows = values.map(value => {
    const row: Record<string, unknown> = {}
    for (const { key, column, type, field } of columns) {
      const stored = toStored(valuesByKey(value)[key], field)
      if (stored !== null) {
        row[column] = type === 'jsonb' && typeof stored === 'string' ? JSON.parse(stored) : stored
      }
    }
    return row
  })
  // `json`, not `jsonb`: the text is read once and not built into a tree first, a third faster over 20,000
  // rows.
  return {
    columns: columns.map(c => c.column),
    as: sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(
      ${sql.join(columns.map(c => sql`${sql.id(c.column)} ${sql.raw(c.type)}`))}
    )`,
  }
}

/** Adds rows in one statement. The caller audits them and checks that they are in the data domain. */
export const insertStatement = (entity: Entity, scope: Scope, values: readonly object[]): Sql => {
  const { columns, as } = recordsetOf(entity, values)
  return sql`
    insert into ${sql.table(entity.table)} (
      ${createdColumns}, ${sql.join(columns.map(column => sql.id(column)))}
    )
    select ${createdValues(scope)}, ${sql.join(columns.map(column => sql`r.${sql.id(column)}`))}
    from ${as}
  `
}

/** Adds many in one statement. Returns their ids in order. One audit row speaks for all. */
export async function insertAll<F extends Fields>(
  tx: Tx,
  entity: Entity<F>,
  scope: Scope,
  values: readonly RowValues<NoInfer<F>>[],
): Promise<Id[]> {
  if (!values.length) return []
  for (const value of values) {
    assertInDomain(entity, scope, valuesByKey(value), true)
    assertListInDomain(entity, scope, valuesByKey(value))
  }
  const made = await tx.rows<{ id: Id }>(sql`${insertStatement(entity, scope, values)} returning id`)
  const ids = made.map(row => row.id)
  await analyzeIfGrown(tx, entity.table, ids.length)
  await audit(tx, scope, [auditEntryOf(entity, 'insert', 0, undefined, { count: values.length })])
  publishRecordsWritten(tx, scope.ownerId, { entity: entity.name, action: 'insert', ids })
  return ids
}

/**
 * Adds those that break no unique key. Returns which by the values of `by`, each as `keyText` writes them.
 * The caller audits.
 */
export async function insertNew<F extends Fields>(
  tx: Tx,
  entity: Entity<F>,
  scope: Scope,
  values: readonly RowValues<NoInfer<F>>[],
  by: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!values.length) return new Set()
  for (const value of values) {
    assertInDomain(entity, scope, valuesByKey(value), true)
    assertListInDomain(entity, scope, valuesByKey(value))
  }
  const made = await tx.rows<Record<string, unknown> & { id: Id }>(
    sql`${insertStatement(entity, scope, values)} on conflict do nothing
      returning id, ${sql.join(by.map(key => sql.id(columnOf(key))))}`,
  )
  publishRecordsWritten(tx, scope.ownerId, {
    entity: entity.name,
    action: 'insert',
    ids: made.map(row => row.id),
  })
  return new Set(made.map(row => keyText(row, by)))
}

/** The values of some keys as one text, to compare records by. */
export const keyText = (row: object, by: readonly string[]): string =>
  JSON.stringify(by.map(key => valuesByKey(row)[key]))

export interface UpdateOptions {
  /** The version that the caller saw; another one refuses (G-8). */
  readonly version?: number | undefined
  readonly reason?: string | undefined
  readonly where?: Sql
}

/**
 * Changes one record where it still stands as the caller saw it (G-8); the audit row holds what was and what
 * is. Returns the record after it.
 */
export async function update<F extends Fields>(
  tx: Tx,
  entity: Entity<F>,
  scope: Scope,
  id: Id,
  patch: RowValues<NoInfer<F>>,
  options: UpdateOptions = {},
): Promise<ValueOf<F>> {
  const stored = await requireStoredById(tx, entity, scope, id, { lock: true })
  assertListInDomain(entity, scope, stored)
  assertInDomain(entity, scope, { ...stored, ...patch })
  assertListInDomain(entity, scope, { ...stored, ...patch })
  if (options.version !== undefined && options.version !== stored.version) throw staleVersion()
  const columns = columnValues(entity, patch)
  const changed = await tx.execute(sql`
    update ${sql.table(entity.table)} as t
    set ${sql.join([...columns.map(([column, value]) => sql`${sql.id(column)} = ${value}`), touch(scope, 't')])}
    where t.owner_id = ${scope.ownerId}
      and t.id = ${id}
      and ${notDeleted('t')} ${options.where ? sql`and ${options.where}` : sql``}
  `)
  if (!changed) throw staleVersion()
  const after = toEntityRow(entity, await requireStoredById(tx, entity, scope, id))
  await audit(tx, scope, [
    auditEntryOf(entity, 'update', id, toEntityRow(entity, stored), after, options.reason),
  ])
  publishRows(tx, scope, entity, 'update', [{ id, value: after }])
  return after
}

/**
 * Gives locked records the same values in one statement; the audit row of each holds what was and what is.
 * The values of `patch` alone are compared.
 */
export async function updateAll<F extends Fields>(
  tx: Tx,
  entity: Entity<F>,
  scope: Scope,
  rows: readonly (NoInfer<ValueOf<F>> & { readonly id: Id; readonly projectCode?: string })[],
  patch: RowValues<NoInfer<F>>,
  options: { readonly action?: 'update' | 'state'; readonly reason?: string | undefined } = {},
): Promise<void> {
  if (!rows.length) return
  for (const row of rows) {
    assertListInDomain(entity, scope, valuesByKey(row))
  }
  const columns = columnValues(entity, patch)
  await tx.execute(sql`
    update ${sql.table(entity.table)} as t
    set ${sql.join([...columns.map(([column, value]) => sql`${sql.id(column)} = ${value}`), touch(scope, 't')])}
    where t.owner_id = ${scope.ownerId} and t.id = any(${rows.map(row => row.id)}) and ${notDeleted('t')}
  `)
  const { action = 'update', reason } = options
  const keys = Object.keys(patch)
  const entryOf = (row: { readonly id: Id; readonly projectCode?: string }): AuditEntry => {
    const values = valuesByKey(row)
    return {
      action,
      entity: entity.name,
      entityId: row.id,
      projectCode: row.projectCode,
      before: Object.fromEntries(keys.map(key => [key, values[key]])),
      after: patch,
      reason,
    }
  }
  await audit(tx, scope, rows.map(entryOf))
  publishRecordsWritten(tx, scope.ownerId, {
    entity: entity.name,
    action: 'update',
    ids: rows.map(row => row.id),
  })
}

/** Puts records into the recycle bin (G-7). All or nothing: an id that is not there refuses. */
export async function remove<F extends Fields>(
  tx: Tx,
  entity: Entity<F>,
  scope: Scope,
  ids: readonly (number | string)[],
  reason?: string,
): Promise<ValueOf<F>[]> {
  const stored = await findStoredByIds(tx, entity, scope, ids, { lock: true })
  if (stored.length !== new Set(ids.map(parseId)).size) throw notFound()
  for (const row of stored) {
    assertListInDomain(entity, scope, row)
  }
  await tx.execute(
    sql`
      update ${sql.table(entity.table)} as t
      set delete_tag = 1, ${touch(scope, 't')}
      where t.owner_id = ${scope.ownerId} and t.id = any(${ids.map(parseId)}) and ${notDeleted('t')}
    `,
  )
  const removed = stored.map(row => ({ id: row.id, value: toEntityRow(entity, row) }))
  await audit(
    tx,
    scope,
    removed.map(({ id, value }) => auditEntryOf(entity, 'delete', id, value, undefined, reason)),
  )
  publishRows(tx, scope, entity, 'delete', removed)
  return removed.map(({ value }) => value)
}
