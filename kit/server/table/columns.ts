import type { Id } from '#kit/domain/id.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { invalidInput, wireMembersOf } from '#kit/contract/wire.ts'
import { sql, type RawBuilder } from '../db.ts'
import { getEntity } from '../registry.ts'
import { naturalOrder } from '../sql.ts'

/** A piece of SQL whose result nobody types: conditions, columns, joins. */
export type Sql = RawBuilder<unknown>

/** The column of a stored field; the entity's own table is always `t`. */
export const ownColumn = (key: string): Sql => sql.ref(`t.${columnOf(key)}`)

/** A field as SQL: its own column, or that of the table a reference leads to (joined as `j_<reference>`). */
export const fieldSql = (e: Entity, key: string): Sql => {
  const lookup = e.fields[key]?.lookup
  return lookup ? sql.ref(`${joinAlias(lookup[0])}.${columnOf(lookup[1])}`) : ownColumn(key)
}

const joinAlias = (reference: string): string => `j_${columnOf(reference)}`

/** The references that these keys are looked up through. */
const referencesOf = (e: Entity, keys: readonly string[]): Set<string> =>
  new Set(keys.flatMap(key => e.fields[key]?.lookup?.slice(0, 1) ?? []))

/** A reference's join in two parts, between which the company stands as a value. Made once per reference. */
interface ReferenceJoin {
  readonly beforeOwner: Sql
  readonly afterOwner: Sql
}

const joinCache = new WeakMap<Entity, Map<string, ReferenceJoin>>()

function createReferenceJoin(entity: Entity, reference: string): ReferenceJoin {
  const field = entity.fields[reference]
  const target = getEntity(field?.target ?? '')
  const alias = joinAlias(reference)
  const byKey = field?.targetBy === 'key'
  const targetColumn = byKey ? columnOf(target.key ?? 'id') : 'id'
  const sameProject =
    byKey && target.tenancy === 'project' && target.key !== 'projectCode'
      ? sql` and ${sql.ref(`${alias}.project_code`)} = t.project_code`
      : sql``
  const notDeletedOnly = byKey ? sql` and ${sql.ref(`${alias}.delete_tag`)} = 0` : sql``
  return {
    beforeOwner: sql` left join ${sql.table(target.table)} as ${sql.id(alias)} on ${sql.ref(`${alias}.owner_id`)} = `,
    afterOwner: sql` and ${sql.ref(`${alias}.${targetColumn}`)} = ${ownColumn(reference)}${sameProject}${notDeletedOnly}`,
  }
}

function referenceJoin(entity: Entity, reference: string): ReferenceJoin {
  const known = joinCache.get(entity) ?? new Map<string, ReferenceJoin>()
  joinCache.set(entity, known)
  const join = known.get(reference) ?? createReferenceJoin(entity, reference)
  known.set(reference, join)
  return join
}

/**
 * The joins that the keys need. A reference by natural key stays inside the project and leads to a live row;
 * one by id leads to the row even from the recycle bin.
 */
function joinsSql(entity: Entity, references: Iterable<string>, ownerId: Id): Sql {
  const joins = [...references].map(reference => {
    const { beforeOwner, afterOwner } = referenceJoin(entity, reference)
    return sql`${beforeOwner}${ownerId}${afterOwner}`
  })
  return sql.join(joins, sql` `)
}

/** The joins of `keys` that those of `joinedKeys` have not brought already. */
export function missingJoins(
  entity: Entity,
  joinedKeys: readonly string[],
  keys: readonly string[],
  ownerId: Id,
): Sql {
  const joined = referencesOf(entity, joinedKeys)
  const missing = [...referencesOf(entity, keys)].filter(reference => !joined.has(reference))
  return joinsSql(entity, missing, ownerId)
}

const readableKeysCache = new WeakMap<Entity, readonly string[]>()

/** All that a row of the entity shows: stored keys and what is looked up through references. */
export function readableKeys(entity: Entity): readonly string[] {
  const known = readableKeysCache.get(entity)
  if (known) return known
  const keys = [
    ...storedKeys(entity),
    ...Object.keys(entity.fields).filter(key => entity.fields[key]?.lookup),
  ]
  readableKeysCache.set(entity, keys)
  return keys
}

const columnsCache = new WeakMap<Entity, Sql>()
const tableCache = new WeakMap<Entity, Sql>()

/** Entities never change: the SQL of all readable keys is made once; that of a choice of keys each time. */
function memoizeSql(
  cache: WeakMap<Entity, Sql>,
  entity: Entity,
  keys: readonly string[],
  createSql: () => Sql,
): Sql {
  if (keys !== readableKeysCache.get(entity)) return createSql()
  const known = cache.get(entity) ?? createSql()
  cache.set(entity, known)
  return known
}

export const columnsSql = (e: Entity, keys: readonly string[]): Sql =>
  memoizeSql(columnsCache, e, keys, () =>
    sql.join(keys.map(key => sql`${fieldSql(e, key)} as ${sql.id(columnOf(key))}`)),
  )

function tableSql(e: Entity): Sql {
  const known = tableCache.get(e) ?? sql`from ${sql.table(e.table)} as t`
  tableCache.set(e, known)
  return known
}

export const fromSql = (e: Entity, keys: readonly string[], ownerId: Id): Sql =>
  sql`${tableSql(e)}${joinsSql(e, referencesOf(e, keys), ownerId)}`

const stampOrders: ReadonlySet<string> = new Set(['createTime', 'updateTime'])

/** Fields that the database can sort by: stored ones, looked-up ones, and the two stamps. */
const isSortable = (e: Entity, key: string): boolean => {
  const field = e.fields[key]
  return field !== undefined && (!field.derived || field.lookup !== undefined || stampOrders.has(key))
}

const isNeverNull = (e: Entity, key: string): boolean => {
  const field = e.fields[key]
  return !field?.lookup && (field?.required === true || stampOrders.has(key))
}

/** The field that a term of an order names: by its key, or by a name of the wire in any case. */
const findOrderKey = (fields: Fields, name: string): string | undefined =>
  Object.hasOwn(fields, name)
    ? name
    : wireMembersOf(fields).find(member => member.lowerNames.includes(name.toLowerCase()))?.key

export interface OrderTerm {
  readonly key: string
  readonly isDescending: boolean
}

function readOrderTerm(fields: Fields, isKnown: (key: string) => boolean, term: string): OrderTerm {
  const [, minus = '', name = '', direction = ''] = /^(-?)\s*(\S+?)(?:\s+(asc|desc))?$/i.exec(term) ?? []
  const key = findOrderKey(fields, name)
  if (key === undefined || !isKnown(key))
    throw invalidInput([{ Field: 'OrderBy', Message: `不能按「${term}」排序，请换一列` }])
  return { key, isDescending: minus !== '' || direction.toLowerCase() === 'desc' }
}

/** Every order asks for it: split, trimmed, each term read. */
const readOrderTerms = (
  fields: Fields,
  isKnown: (key: string) => boolean,
  terms: readonly string[],
): OrderTerm[] =>
  terms
    .map(term => term.trim())
    .filter(term => term !== '')
    .map(term => readOrderTerm(fields, isKnown, term))

/**
 * The order that a request asks of a statement of the module's own, `-received` or `Received desc`: keys of
 * `fields` that are among `sortable`; others are refused, nothing asked is none.
 */
export const readOrder = (
  fields: Fields,
  sortable: readonly string[],
  order: string | undefined,
): readonly OrderTerm[] => readOrderTerms(fields, key => sortable.includes(key), order?.split(',') ?? [])

function orderedColumn(f: Field | undefined, column: Sql): Sql {
  if (f?.naturalOrder) return naturalOrder(column)
  return f?.zeroIsNone ? sql`nullif(${column}, 0)` : column
}

/**
 * `-createTime,roomNo` or `CreateTime desc,RoomNo`: fields of the entity by their keys or names on the wire,
 * others are refused; the id breaks ties so that pages never overlap. `nulls last` only where there can be a
 * null: an index read backwards serves plain `desc` alone.
 */
export function orderSql(entity: Entity, order: string | undefined): { sql: Sql; keys: string[] } {
  const terms = readOrderTerms(
    entity.fields,
    key => isSortable(entity, key),
    order ? order.split(',') : entity.order,
  )
  const parts = terms.map(({ key, isDescending }) => {
    const plain = fieldSql(entity, key)
    const column = orderedColumn(entity.fields[key], plain)
    if (!isDescending) return sql`${column} asc`
    return sql`${column} desc${isNeverNull(entity, key) ? sql`` : sql` nulls last`}`
  })
  const tieBreaker = terms.at(-1)?.isDescending ? sql`t.id desc` : sql`t.id asc`
  return { sql: sql.join([...parts, tieBreaker]), keys: terms.map(term => term.key) }
}
