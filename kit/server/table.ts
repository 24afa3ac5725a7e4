import { columnOf, storedKeys, type Entity, type Row } from '#kit/contract/entity.ts'
import { codeOf, type Field } from '#kit/contract/field.ts'
import { rangeKinds, type Page, type ListQuery } from '#kit/contract/shape.ts'
import { Refused, notFound, resultCode, staleVersion } from '#kit/contract/wire.ts'
import { audit, type AuditEntry } from './audit.ts'
import { sql, type Db, type RawBuilder, type Tx } from './db.ts'
import { hasBuilding, hasProject, outOfDomain, type DataDomain, type Scope } from './scope.ts'
import { live, touch } from './sql.ts'
import { columnType, columnValues, toEntityRow, toStored, writtenColumns } from './column-storage.ts'
import { getEntity } from './registry.ts'

type Sql = RawBuilder<any>
const ownColumn = (key: string): Sql => sql.ref(`t.${columnOf(key)}`)

/** The wall that every query stands behind: the company, its data domain, live rows only. */
export function tenantFilter(e: Entity<any>, who: Pick<Scope, 'ownerId' | 'domain'>, project?: string): Sql {
  const parts: Sql[] = [sql`t.owner_id = ${who.ownerId}`, sql`${live('t')}`]
  if (e.tenancy === 'project') {
    if (project) {
      parts.push(sql`t.project_code = ${project}`)
    }
    parts.push(...domainFilter(e, who.domain))
  }
  return sql.join(parts, sql` and `)
}

function domainFilter(e: Entity<any>, d: DataDomain): Sql[] {
  if (d.all) return []
  const building = buildingKeyOf(e)
  const whole = [...d.projects].filter(([, b]) => b === null).map(([p]) => p)
  if (!building || whole.length === d.projects.size)
    return [sql`t.project_code = any(${[...d.projects.keys()]})`]
  const part = [...d.projects].flatMap(([p, b]) => (b ? [...b].map(x => [p, x] as const) : []))
  // All projects once more, plainly: an index can follow that, but not the alternative.
  return [
    sql`t.project_code = any(${[...d.projects.keys()]})`,
    sql`(
      t.project_code = any(${whole})
      or (t.project_code, ${ownColumn(building)}) in (
        select * from unnest(${part.map(x => x[0])}::text[], ${part.map(x => x[1])}::text[])
      )
    )`,
  ]
}

const likePattern = (s: string): string => `%${s.replace(/[\\%_]/g, c => `\\${c}`)}%`
const escapeClause = sql`escape '\\'`

/** Conditions of a search's filters, by the kind of each field. Unknown or derived keys give none. */
export function filterConditions(
  e: Entity<any>,
  q: Readonly<Record<string, unknown>>,
  filters: readonly string[],
): Sql[] {
  const parts: Sql[] = []
  for (const k of filters) {
    const f = e.fields[k] as Field
    const at = fieldSql(e, k)
    if (rangeKinds.has(f.kind)) {
      const [from, to] = [q[`${k}From`], q[`${k}To`]]
      if (from !== undefined) {
        parts.push(sql`${at} >= ${toStored(from, f)}`)
      }
      if (to !== undefined) {
        parts.push(
          f.kind === 'moment' && (to as string).endsWith('00:00:00')
            ? sql`${at} < ${toStored(to, f)}::timestamptz + interval '1 day'`
            : sql`${at} <= ${toStored(to, f)}`,
        )
      }
    } else if (q[k] === undefined) {
      continue
    } else if (f.kind === 'choice') {
      parts.push(sql`${at} = any(${(q[k] as string[]).map(c => codeOf(f.choices!, c))})`)
    } else if (f.kind === 'choices') {
      parts.push(sql`${at} && ${(q[k] as string[]).map(c => String(codeOf(f.choices!, c)))}::text[]`)
    } else if (f.kind === 'ref') {
      parts.push(sql`${at} = any(${q[k] as string[]}::${sql.raw(columnType(f))}[])`)
    } else if (f.kind === 'text') {
      parts.push(sql`${at} ilike ${likePattern(q[k] as string)} ${escapeClause}`)
    } else {
      parts.push(sql`${at} = ${toStored(q[k], f)}`)
    }
  }
  return parts
}

export function keywordCondition(e: Entity<any>, word: string | undefined): Sql[] {
  const sought = Object.keys(e.fields).filter(k => (e.fields[k] as Field).searchable)
  if (!word || !sought.length) return []
  return [
    sql`(${sql.join(
      sought.map(k => sql`${fieldSql(e, k)} ilike ${likePattern(word)} ${escapeClause}`),
      sql` or `,
    )})`,
  ]
}

/** A field as SQL: its own column, or through a reference the other table's (joined as `j_<reference>`). */
const fieldSql = (e: Entity<any>, key: string): Sql => {
  const by = (e.fields[key] as Field | undefined)?.lookup
  return by ? sql.ref(`${joinAlias(by[0])}.${columnOf(by[1])}`) : ownColumn(key)
}

const joinAlias = (ref: string): string => `j_${columnOf(ref)}`

/** A reference's join in two parts, between which its company stands as a value. Made once per reference. */
interface ReferenceJoin {
  readonly beforeOwner: Sql
  readonly afterOwner: Sql
}

const joinCache = new WeakMap<Entity<any>, Map<string, ReferenceJoin>>()

function referenceJoin(e: Entity<any>, ref: string): ReferenceJoin {
  const known = joinCache.get(e) ?? new Map<string, ReferenceJoin>()
  joinCache.set(e, known)
  const made = known.get(ref)
  if (made) return made
  const f = e.fields[ref] as Field
  const to = getEntity(f.target ?? '')
  const a = joinAlias(ref)
  const on = f.targetBy === 'key' ? columnOf(to.key!) : 'id'
  const project =
    f.targetBy === 'key' && to.tenancy === 'project' && to.key !== 'projectCode'
      ? sql` and ${sql.ref(`${a}.project_code`)} = t.project_code`
      : sql``
  const live = f.targetBy === 'key' ? sql` and ${sql.ref(`${a}.delete_tag`)} = 0` : sql``
  const join = {
    beforeOwner: sql` left join ${sql.table(to.table)} as ${sql.id(a)} on ${sql.ref(`${a}.owner_id`)} = `,
    afterOwner: sql` and ${sql.ref(`${a}.${on}`)} = ${ownColumn(ref)}${project}${live}`,
  }
  known.set(ref, join)
  return join
}

/**
 * The joins that the asked keys need; references go by id or by natural key, inside the company and, for
 * keys, the project.
 */
function joinsSql(e: Entity<any>, keys: readonly string[], ownerId: number): Sql {
  const refs = new Set(
    keys.flatMap(k => {
      const by = (e.fields[k] as Field | undefined)?.lookup
      return by ? [by[0]] : []
    }),
  )
  return sql.join(
    [...refs].map(ref => {
      const { beforeOwner, afterOwner } = referenceJoin(e, ref)
      return sql`${beforeOwner}${ownerId}${afterOwner}`
    }),
    sql` `,
  )
}

const readableKeysCache = new WeakMap<Entity<any>, readonly string[]>()

const readableKeys = (e: Entity<any>): readonly string[] =>
  readableKeysCache.get(e) ??
  (readableKeysCache.set(e, [
    ...storedKeys(e),
    ...Object.keys(e.fields).filter(k => (e.fields[k] as Field).lookup),
  ]),
  readableKeysCache.get(e)!)

/** What all of an entity's fields are as SQL is made once: entities never change. */
const columnsCache = new WeakMap<Entity<any>, Sql>()
const tableCache = new WeakMap<Entity<any>, Sql>()

const memoizeSql = (
  by: WeakMap<Entity<any>, Sql>,
  e: Entity<any>,
  keys: readonly string[],
  make: () => Sql,
): Sql => {
  if (keys !== readableKeysCache.get(e)) return make()
  const known = by.get(e) ?? make()
  by.set(e, known)
  return known
}

const columnsSql = (e: Entity<any>, keys: readonly string[]): Sql =>
  memoizeSql(columnsCache, e, keys, () =>
    sql.join(keys.map(k => sql`${fieldSql(e, k)} as ${sql.id(columnOf(k))}`)),
  )

const tableSql = (e: Entity<any>): Sql => {
  const known = tableCache.get(e) ?? sql`from ${sql.table(e.table)} as t`
  tableCache.set(e, known)
  return known
}

const fromSql = (e: Entity<any>, keys: readonly string[], ownerId: number): Sql =>
  sql`${tableSql(e)}${joinsSql(e, keys, ownerId)}`

/** `-createTime,roomNo`: fields of the entity only; the id breaks ties so that pages never overlap. */
function orderSql(e: Entity<any>, said: string | undefined): { sql: Sql; keys: string[] } {
  const asked = (said ? said.split(',') : [...e.order]).map(s => s.trim())
  const good = asked.filter(s => {
    const f = e.fields[s.replace(/^-/, '')] as Field | undefined
    return f && (!f.derived || f.lookup || ['createTime', 'updateTime'].includes(s.replace(/^-/, '')))
  })
  // `nulls last` only where there can be one: an index read backwards serves the plain `desc` alone.
  const sure = (k: string): boolean =>
    !(e.fields[k] as Field).lookup &&
    ((e.fields[k] as Field).required || ['createTime', 'updateTime'].includes(k))
  const parts = good.map(s =>
    s.startsWith('-')
      ? sql`${fieldSql(e, s.slice(1))} desc${sure(s.slice(1)) ? sql`` : sql` nulls last`}`
      : sql`${fieldSql(e, s)} asc`,
  )
  return {
    sql: sql.join([...parts, good.at(-1)?.startsWith('-') ? sql`t.id desc` : sql`t.id asc`]),
    keys: good.map(s => s.replace(/^-/, '')),
  }
}

export interface FindOptions {
  readonly where?: readonly Sql[]
  readonly filters?: readonly string[]
  readonly sums?: readonly string[]
  readonly keys?: readonly string[]
}

export type TableQuery = ListQuery & { readonly projectCode?: string } & Readonly<Record<string, unknown>>

const whereSql = (e: Entity<any>, who: Scope, q: TableQuery, find: FindOptions): Sql =>
  sql.join(
    [
      tenantFilter(e, who, q.projectCode),
      ...filterConditions(e, q, find.filters ?? []),
      ...keywordCondition(e, q.keyword),
      ...(find.where ?? []),
    ],
    sql` and `,
  )

const filterKeys = (e: Entity<any>, q: TableQuery, find: FindOptions): string[] => [
  ...(find.filters ?? []),
  ...(q.keyword ? Object.keys(e.fields).filter(k => (e.fields[k] as Field).searchable) : []),
]

/**
 * A page of a list with its total and sums over the whole filter (STAT-1), in one round trip. Page size 10
 * unless asked.
 */
export async function findPage<E extends Entity<any>>(
  db: Db,
  e: E,
  who: Scope,
  q: ListQuery & { readonly projectCode?: string },
  find: FindOptions = {},
): Promise<Page<Row<E>>> {
  const size = Math.min(q.size ?? 10, 2000)
  const at = ((q.page ?? 1) - 1) * size
  const keys = find.keys ?? readableKeys(e)
  const order = orderSql(e, q.order)
  const where = whereSql(e, who, q as TableQuery, find)
  const sums = find.sums ?? []
  // Deep pages walk the narrow index first and fetch the wide rows of one page only.
  const list = sql<Record<string, unknown>>`
    select ${columnsSql(e, keys)} ${fromSql(e, keys, who.ownerId)}
    join (
      select t.id ${fromSql(e, [...order.keys, ...filterKeys(e, q as TableQuery, find)], who.ownerId)}
      where ${where}
      order by ${order.sql}
      limit ${size} offset ${at}
    ) as p on p.id = t.id
      and t.owner_id = ${who.ownerId} ${order.keys.length ? missingJoins(e, keys, order.keys, who.ownerId) : sql``}
    order by ${order.sql}
  `
  const totals = sql<Record<string, number | string>>`
    select count(*) as total${
      sums.length
        ? sql`,
    ${sql.join(sums.map(k => sql`coalesce(sum(${fieldSql(e, k)}), 0) as ${sql.id(columnOf(k))}`))}`
        : sql``
    } ${fromSql(e, [...filterKeys(e, q as TableQuery, find), ...sums], who.ownerId)}
    where ${where}
  `
  const [rows, [total]] = await db.all<[Record<string, unknown>, Record<string, number | string>]>(
    list,
    totals,
  )
  return {
    total: Number(total!.total),
    rows: rows.map(r => toEntityRow(e, r)),
    ...(sums.length
      ? { sum: toEntityRow(e, Object.fromEntries(sums.map(k => [k, total![k]]))) as never }
      : {}),
  }
}

const missingJoins = (
  e: Entity<any>,
  have: readonly string[],
  want: readonly string[],
  ownerId: number,
): Sql => {
  const refsOf = (ks: readonly string[]): Set<string> =>
    new Set(ks.flatMap(k => (e.fields[k] as Field | undefined)?.lookup?.slice(0, 1) ?? []))
  const had = refsOf(have)
  return joinsSql(
    e,
    want.filter(k => {
      const r = (e.fields[k] as Field | undefined)?.lookup?.[0]
      return r && !had.has(r)
    }),
    ownerId,
  )
}

/** The statement of a list without its page: for `rows`, and for cursors of exports. */
export function selectStatement(
  e: Entity<any>,
  who: Scope,
  q: TableQuery,
  find: FindOptions & { limit?: number } = {},
): Sql {
  const keys = find.keys ?? readableKeys(e)
  const order = orderSql(e, q.order)
  return sql`
    select ${columnsSql(e, keys)} ${fromSql(e, [...keys, ...order.keys, ...filterKeys(e, q, find)], who.ownerId)}
    where ${whereSql(e, who, q, find)}
    order by ${order.sql} ${find.limit ? sql`limit ${find.limit}` : sql``}
  `
}

/** All rows of a filter, up to `limit` (2,000 unless said). */
export const findAll = async <E extends Entity<any>>(
  db: Db,
  e: E,
  who: Scope,
  q: TableQuery = {},
  find: FindOptions & { limit?: number } = {},
): Promise<Row<E>[]> =>
  (
    await db.rows<Record<string, unknown>>(selectStatement(e, who, q, { ...find, limit: find.limit ?? 2000 }))
  ).map(r => toEntityRow(e, r))

/** How many rows a filter finds. */
export const countRows = async (
  db: Db,
  e: Entity<any>,
  who: Scope,
  q: TableQuery = {},
  find: FindOptions = {},
): Promise<number> =>
  (await db.one<{ n: number }>(
    sql`select count(*) as n ${fromSql(e, filterKeys(e, q, find), who.ownerId)} where ${whereSql(e, who, q, find)}`,
  ))!.n

/**
 * Records by id, whatever their project: outside the domain refuses with 10003, absent ones are left out.
 * `lock` for a transaction that will change them.
 */
export async function findByIds<E extends Entity<any>>(
  db: Db,
  e: E,
  who: Scope,
  ids: readonly (number | string)[],
  lock = false,
): Promise<Row<E>[]> {
  const keys = readableKeys(e)
  const good = ids.map(Number).filter(n => Number.isSafeInteger(n) && n > 0)
  const found = (
    await db.rows<Record<string, unknown>>(
      sql`
        select ${columnsSql(e, keys)} ${fromSql(e, keys, who.ownerId)}
        where t.owner_id = ${who.ownerId} and ${live('t')} and t.id = any(${good})
        order by t.id ${lock ? sql`for update of t` : sql``}
      `,
    )
  ).map(r => toEntityRow(e, r))
  for (const r of found as Readonly<Record<string, unknown>>[]) {
    assertInDomain(e, who, r)
  }
  return found
}

/**
 * Refuses a row whose project or building lies outside the caller's data domain. A row of no building is for
 * those who have the whole project, as in lists; one that has its building yet to get is let pass.
 */
export function assertInDomain(
  e: Entity<any>,
  who: Scope,
  row: Readonly<Record<string, unknown>>,
  unmade = false,
): void {
  if (e.tenancy !== 'project' || who.domain.all) return
  const building = buildingKeyOf(e)
  const project = row.projectCode as string
  const b = building && row[building]
  if (!hasProject(who.domain, project)) throw outOfDomain()
  if (building && !(unmade && b === undefined) && !hasBuilding(who.domain, project, b as string))
    throw outOfDomain()
}

const buildingKeyOf = (e: Entity<any>): string | undefined =>
  Object.keys(e.fields).find(k => (e.fields[k] as Field).dataDomain === 'building')

/** The record, or the refusal of 10004. */
export async function requireById<E extends Entity<any>>(
  db: Db,
  e: E,
  who: Scope,
  id: number,
  lock = false,
): Promise<Row<E>> {
  const [row] = await findByIds(db, e, who, [id], lock)
  if (!row) throw notFound()
  return row
}

/** By natural key inside a project (or the company). */
export async function findByKey<E extends Entity<any>>(
  db: Db,
  e: E,
  who: Scope,
  key: string,
  project?: string,
): Promise<Row<E> | undefined> {
  const keys = readableKeys(e)
  const row = await db.one<Record<string, unknown>>(
    sql`select ${columnsSql(e, keys)} ${fromSql(e, keys, who.ownerId)} where ${tenantFilter(e, who, project)} and ${ownColumn(e.key!)} = ${key}`,
  )
  return row && toEntityRow(e, row)
}

const auditEntryOf = (
  e: Entity<any>,
  what: AuditEntry['action'],
  id: number,
  before: object | undefined,
  after: object | undefined,
  reason?: string,
): AuditEntry => ({
  action: what,
  entity: e.name,
  entityId: id,
  projectCode: ((after ?? before) as { projectCode?: string } | undefined)?.projectCode,
  before,
  after,
  reason,
})

/** Adds one record and its audit row. */
export async function insert<E extends Entity<any>>(
  tx: Tx,
  e: E,
  who: Scope,
  value: object,
): Promise<Row<E>> {
  assertInDomain(e, who, value as Readonly<Record<string, unknown>>, true)
  const cols = columnValues(e, value as Readonly<Record<string, unknown>>)
  const made = await tx.one<{
    id: number
  }>(sql`
    insert into ${sql.table(e.table)} (
      owner_id, create_by, update_by, ${sql.join(cols.map(c => sql.id(c[0])))}
    )
    values (${who.ownerId}, ${who.operatorId}, ${who.operatorId}, ${sql.join(cols.map(c => sql`${c[1]}`))})
    returning id
  `)
  const row = await requireById(tx, e, who, made!.id)
  await audit(tx, who, [auditEntryOf(e, 'insert', made!.id, undefined, row as object)])
  return row
}

/** Values as rows that a statement over a set can take: `r` with the columns that any of them has. */
export function recordsetOf(
  e: Entity<any>,
  values: readonly object[],
): { readonly columns: readonly string[]; readonly as: Sql } {
  const keys = new Set(values.flatMap(v => Object.keys(v)))
  const shape = writtenColumns(e, k => keys.has(k))
  const all = values.map(v => {
    const row: Record<string, unknown> = {}
    for (const { key, column, type, field } of shape) {
      const x = toStored((v as Record<string, unknown>)[key], field)
      if (x !== null) {
        row[column] = type === 'jsonb' && typeof x === 'string' ? JSON.parse(x) : x
      }
    }
    return row
  })
  // `json`, not `jsonb`: the text is read once and not built into a tree first, a third faster over 20,000
  // rows.
  return {
    columns: shape.map(c => c.column),
    as: sql`json_to_recordset(${JSON.stringify(all)}::json) as r(
      ${sql.join(shape.map(c => sql`${sql.id(c.column)} ${sql.raw(c.type)}`))}
    )`,
  }
}

const insertStatement = (e: Entity<any>, who: Scope, values: readonly object[]): Sql => {
  const { columns: cols, as } = recordsetOf(e, values)
  return sql`
    insert into ${sql.table(e.table)} (
      owner_id, create_by, update_by, ${sql.join(cols.map(c => sql.id(c)))}
    )
    select ${who.ownerId}::bigint, ${who.operatorId}::bigint, ${who.operatorId}::bigint,
      ${sql.join(cols.map(c => sql`r.${sql.id(c)}`))}
    from ${as}
  `
}

/** Adds many in one statement; answers their ids in order. One audit row speaks for all. */
export async function insertAll(
  tx: Tx,
  e: Entity<any>,
  who: Scope,
  values: readonly object[],
): Promise<number[]> {
  if (!values.length) return []
  for (const v of values) {
    assertInDomain(e, who, v as Readonly<Record<string, unknown>>, true)
  }
  const made = await tx.rows<{ id: number }>(sql`${insertStatement(e, who, values)} returning id`)
  await audit(tx, who, [auditEntryOf(e, 'insert', 0, undefined, { count: values.length })])
  return made.map(r => r.id)
}

/**
 * Adds those that break no unique key; answers which by the values of `by`, each as `keyText` writes them.
 * The caller audits.
 */
export async function insertNew(
  tx: Tx,
  e: Entity<any>,
  who: Scope,
  values: readonly object[],
  by: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!values.length) return new Set()
  for (const v of values) {
    assertInDomain(e, who, v as Readonly<Record<string, unknown>>, true)
  }
  const made = await tx.rows<Record<string, unknown>>(
    sql`${insertStatement(e, who, values)} on conflict do nothing
      returning ${sql.join(by.map(k => sql.id(columnOf(k))))}`,
  )
  return new Set(made.map(r => keyText(r, by)))
}

export const keyText = (row: object, by: readonly string[]): string =>
  JSON.stringify(by.map(k => (row as Record<string, unknown>)[k]))

export interface UpdateOptions {
  readonly version?: number | undefined
  readonly reason?: string | undefined
  readonly where?: Sql
}

/**
 * Changes one record where it still stands as the caller saw it (G-8); the audit row holds what was and what
 * is.
 */
export async function update<E extends Entity<any>>(
  tx: Tx,
  e: E,
  who: Scope,
  id: number,
  patch: object,
  how: UpdateOptions = {},
): Promise<Row<E>> {
  const before = await requireById(tx, e, who, id, true)
  assertInDomain(e, who, { ...(before as object), ...patch })
  if (how.version !== undefined && how.version !== (before as unknown as { version: number }).version)
    throw staleVersion()
  const cols = columnValues(e, patch as Readonly<Record<string, unknown>>)
  const done = await tx.execute(sql`
    update ${sql.table(e.table)} as t
    set ${sql.join([...cols.map(c => sql`${sql.id(c[0])} = ${c[1]}`), touch(who, 't')])}
    where t.owner_id = ${who.ownerId}
      and t.id = ${id}
      and ${live('t')} ${how.where ? sql`and ${how.where}` : sql``}
  `)
  if (!done) throw staleVersion()
  const after = await requireById(tx, e, who, id)
  await audit(tx, who, [auditEntryOf(e, 'update', id, before as object, after as object, how.reason)])
  return after
}

/** Puts records into the bin (G-7). All or nothing: an id that is not there refuses. */
export async function remove<E extends Entity<any>>(
  tx: Tx,
  e: E,
  who: Scope,
  ids: readonly (number | string)[],
  reason?: string,
): Promise<Row<E>[]> {
  const found = await findByIds(tx, e, who, ids, true)
  if (found.length !== new Set(ids.map(Number)).size) throw notFound()
  await tx.execute(
    sql`
      update ${sql.table(e.table)} as t
      set delete_tag = 1, ${touch(who, 't')}
      where t.owner_id = ${who.ownerId} and t.id = any(${ids.map(Number)}) and ${live('t')}
    `,
  )
  await audit(
    tx,
    who,
    (found as unknown as { id: number }[]).map(r => auditEntryOf(e, 'delete', r.id, r, undefined, reason)),
  )
  return found
}

/**
 * The draft's full set of fields: what a form left empty becomes empty, not untouched (a save says the whole
 * record).
 */
export const withAllFields = (shape: { readonly fields: object }, value: object): object => ({
  ...Object.fromEntries(
    Object.keys(shape.fields)
      .filter(k => !['id', 'version'].includes(k))
      .map(k => [k, undefined]),
  ),
  ...value,
})

export const projectRequired = (): Refused => new Refused(resultCode.invalidInput, '请先选择项目')
