import { columnOf, type Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { Page } from '#kit/contract/shape.ts'
import { toEntityRow } from '../column-storage.ts'
import { sql, type Db } from '../db.ts'
import type { Scope } from '../scope.ts'
import { columnsSql, fieldSql, fromSql, missingJoins, orderSql, readableKeys, type Sql } from './columns.ts'
import { notStruckOutFilter, type FieldValues } from './filter.ts'
import { conditionKeys, maxPageSize, whereSql, type FindOptions, type TableQuery } from './query.ts'

const defaultPageSize = 10

const limitsOf = (query: TableQuery): { readonly size: number; readonly offset: number } => {
  const size = Math.min(query.size ?? defaultPageSize, maxPageSize)
  return { size, offset: ((query.page ?? 1) - 1) * size }
}

/**
 * One page. Deep pages walk the narrow index first and fetch the wide rows of that page only. The page is
 * found once, materialized: on a table without statistics, planned without the values, it was found again for
 * each row of the table, a list of 3,000 in ten seconds.
 */
function pageStatement(entity: Entity, scope: Scope, query: TableQuery, find: FindOptions): Sql {
  const { size, offset } = limitsOf(query)
  const keys = find.keys ?? readableKeys(entity)
  const order = orderSql(entity, query.order)
  return sql`
    with p as materialized (
      select t.id ${fromSql(entity, [...order.keys, ...conditionKeys(entity, query, find)], scope.ownerId)}
      where ${whereSql(entity, scope, query, find)}
      order by ${order.sql}
      limit ${size} offset ${offset}
    )
    select ${columnsSql(entity, keys)} ${fromSql(entity, keys, scope.ownerId)}
    join p on p.id = t.id
      and t.owner_id = ${scope.ownerId} ${order.keys.length ? missingJoins(entity, keys, order.keys, scope.ownerId) : sql``}
    order by ${order.sql}
  `
}

function totalsStatement(entity: Entity, scope: Scope, query: TableQuery, find: FindOptions): Sql {
  const sums = find.sums ?? []
  const notStruckOut = notStruckOutFilter(entity.fields)
  const sumColumns = sums.map(key => {
    const counted = entity.fields[key]?.countsStruckOut ? sql`` : notStruckOut
    return sql`coalesce(sum(${fieldSql(entity, key)})${counted}, 0) as ${sql.id(columnOf(key))}`
  })
  return sql`
    select count(*) as total${sums.length ? sql`, ${sql.join(sumColumns)}` : sql``}
    ${fromSql(entity, [...conditionKeys(entity, query, find), ...sums], scope.ownerId)}
    where ${whereSql(entity, scope, query, find)}
  `
}

/**
 * A page of a list with its total and sums over the whole filter (STAT-1), in one round trip. Rows that no
 * longer stand are listed and counted, but no sum has them unless its field says so. Page size 10 unless
 * given, 2,000 at most. A `part` of the query leaves the other half out (`inParts`).
 */
export async function findPage<F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  query: TableQuery,
  find: FindOptions = {},
): Promise<Page<ValueOf<F>>> {
  if (query.part === 'rows') return findPageRows(db, entity, scope, query, find)
  const page = sql<FieldValues>`${pageStatement(entity, scope, query, find)}`
  const all = sql<FieldValues>`${totalsStatement(entity, scope, query, find)}`
  const [rows, [totals = {}]] =
    query.part === 'totals' ? [[], await db.rows(all)] : await db.all<[FieldValues, FieldValues]>(page, all)
  const found = { total: Number(totals.total), rows: rows.map(row => toEntityRow(entity, row)) }
  return find.sums?.length ? { ...found, sum: readSums(entity, find.sums, totals) } : found
}

/** The rows alone: nothing is counted beyond them, and the total is what is known of it by them. */
async function findPageRows<F extends Fields>(
  db: Db,
  entity: Entity<F>,
  scope: Scope,
  query: TableQuery,
  find: FindOptions,
): Promise<Page<ValueOf<F>>> {
  const rows = await db.rows<FieldValues>(sql`${pageStatement(entity, scope, query, find)}`)
  const { offset } = limitsOf(query)
  return {
    total: rows.length ? offset + rows.length : 0,
    rows: rows.map(row => toEntityRow(entity, row)),
  }
}

/** Yuan beyond which numbers no longer hold the fen. */
const maxSum = 9e13

/** A sum that numbers cannot hold exactly is left out: its list is not refused for it. */
function readSums(entity: Entity, keys: readonly string[], totals: FieldValues) {
  const exact = keys.filter(
    key => entity.fields[key]?.kind !== 'money' || Math.abs(Number(totals[key])) < maxSum,
  )
  return toEntityRow<Fields>(entity, Object.fromEntries(exact.map(key => [key, totals[key]])))
}
