import { parseId, type Id } from '#kit/domain/id.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import { toEntityRow } from '../column-storage.ts'
import { sql, type Db } from '../db.ts'
import type { Scope } from '../scope.ts'
import { equalsAny, notDeleted } from '../sql.ts'
import { columnsSql, fromSql, orderSql, ownColumn, readableKeys, type Sql } from './columns.ts'
import { assertInDomain, tenantFilter, type FieldValues } from './filter.ts'
import { conditionKeys, maxPageSize, whereSql, type FindOptions, type TableQuery } from './query.ts'

/** The statement of a list without its page: for `findAll`, and for cursors of exports. */
export function selectStatement(
  entity: Entity,
  scope: Scope,
  query: TableQuery,
  find: FindOptions & { limit?: number } = {},
): Sql {
  const keys = find.keys ?? readableKeys(entity)
  const order = orderSql(entity, query.order)
  const usedKeys = [...keys, ...order.keys, ...conditionKeys(entity, query, find)]
  return sql`
    select ${columnsSql(entity, keys)} ${fromSql(entity, usedKeys, scope.ownerId)}
    where ${whereSql(entity, scope, query, find)}
    order by ${order.sql} ${find.limit ? sql`limit ${find.limit}` : sql``}
  `
}

/** All rows of a filter, up to `limit` (2,000 unless given). */
export async function findAll<F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  query: TableQuery = {},
  find: FindOptions & { limit?: number } = {},
): Promise<ValueOf<F>[]> {
  const limit = find.limit ?? maxPageSize
  const rows = await db.rows<FieldValues>(sql`${selectStatement(entity, scope, query, { ...find, limit })}`)
  return rows.map(row => toEntityRow(entity, row))
}

/** How many rows a filter finds. */
export async function countRows(
  db: Db,
  entity: Entity,
  scope: Scope,
  query: TableQuery = {},
  find: FindOptions = {},
): Promise<number> {
  const counted = await db.one<{ n: number }>(
    sql`
      select count(*) as n ${fromSql(entity, conditionKeys(entity, query, find), scope.ownerId)}
      where ${whereSql(entity, scope, query, find)}
    `,
  )
  return counted?.n ?? 0
}

/** A row as the driver gives it: the stamps that every entity has, the other columns by their keys. */
export type StoredRow = FieldValues & { readonly id: Id; readonly version: number }

/** For a transaction that will change what it reads. */
interface LockOption {
  readonly lock?: boolean | undefined
}

/**
 * Rows by id, not yet decoded; refuses those outside the data domain, leaves out those that are not there.
 */
export async function findStoredByIds(
  db: Db,
  entity: Entity,
  scope: Scope,
  ids: readonly (number | string)[],
  { lock = false }: LockOption = {},
): Promise<StoredRow[]> {
  const keys = readableKeys(entity)
  const validIds = ids.map(parseId).filter(id => id > 0)
  const rows = await db.rows<StoredRow>(
    sql`
      select ${columnsSql(entity, keys)} ${fromSql(entity, keys, scope.ownerId)}
      where t.owner_id = ${scope.ownerId} and ${notDeleted('t')} and t.id ${equalsAny(validIds)}
      order by t.id ${lock ? sql`for update of t` : sql``}
    `,
  )
  for (const row of rows) {
    assertInDomain(entity, scope, row)
  }
  return rows
}

/**
 * Records by id, whatever their project: outside the domain refuses with 10003, absent ones are left out.
 */
export const findByIds = async <F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  ids: readonly (number | string)[],
  { lock = false }: LockOption = {},
): Promise<ValueOf<F>[]> =>
  (await findStoredByIds(db, entity, scope, ids, { lock })).map(row => toEntityRow(entity, row))

/** The records of all these ids, or the refusal of 10004. */
export async function requireByIds<F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  ids: readonly (number | string)[],
  { lock = false }: LockOption = {},
): Promise<ValueOf<F>[]> {
  const found = await findByIds(db, entity, scope, ids, { lock })
  if (found.length !== new Set(ids.map(parseId)).size) throw notFound()
  return found
}

/** The row, not yet decoded, or the refusal of 10004. */
export async function requireStoredById(
  db: Db,
  entity: Entity,
  scope: Scope,
  id: Id,
  { lock = false }: LockOption = {},
): Promise<StoredRow> {
  const [row] = await findStoredByIds(db, entity, scope, [id], { lock })
  if (!row) throw notFound()
  return row
}

/** The record, or the refusal of 10004. */
export const requireById = async <F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  id: Id,
  { lock = false }: LockOption = {},
): Promise<ValueOf<F>> => toEntityRow(entity, await requireStoredById(db, entity, scope, id, { lock }))

/** By natural key inside a project (or the company); only for entities that have one. */
export async function findByKey<F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  key: string,
  project?: string,
): Promise<ValueOf<F> | undefined> {
  if (!entity.key) throw new Error(`${entity.name} has no natural key`)
  const keys = readableKeys(entity)
  const row = await db.one<FieldValues>(
    sql`
      select ${columnsSql(entity, keys)} ${fromSql(entity, keys, scope.ownerId)}
      where ${tenantFilter(entity, scope, project)} and ${ownColumn(entity.key)} = ${key}
    `,
  )
  return row && toEntityRow(entity, row)
}

/** By natural keys, as `findByKey` does one; absent ones are left out. */
export function findByKeys<F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  keys: readonly string[],
  project?: string,
): Promise<ValueOf<F>[]> {
  if (!entity.key) throw new Error(`${entity.name} has no natural key`)
  const query = project === undefined ? {} : { projectCode: project }
  return findAll(db, entity, scope, query, {
    where: [sql`${ownColumn(entity.key)} = any(${[...keys]}::text[])`],
    limit: keys.length,
  })
}
