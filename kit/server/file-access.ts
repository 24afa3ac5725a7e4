// Who may open a stored file by its key: the operator who stored it a moment ago, and every caller who may
// see a record that holds it. A key alone opens nothing.
import { publicAccess, type Call } from '#kit/contract/call.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Field } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { Refused, resultCode, type FieldFault } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import { valuesByKey } from './column-storage.ts'
import { sql, type Db, type RawBuilder } from './db.ts'
import { isFileKey } from './files.ts'
import { callerFor, isAuthorized } from './handler/authorize.ts'
import { readCallsOf } from './handler/registration.ts'
import { allEntities } from './registry.ts'
import type { Caller } from './scope.ts'
import { tenantFilter } from './table.ts'

type Sql = RawBuilder<unknown>

/** Which rows (`t`) of the entity the caller may see; nothing where the caller may see none. */
type VisibleRows = (caller: Caller) => Sql | undefined

const visibleRowsByEntity = new Map<string, VisibleRows>()

/**
 * Whose files may be opened, of an entity whose own reading calls do not say it: they answer fewer rows than
 * the data domain has, or a call of another shape answers them.
 */
export const registerFileAccess = (entity: string, visibleRows: VisibleRows): void => {
  visibleRowsByEntity.set(entity, visibleRows)
}

/** Statements that answer, of the keys asked, those that rows without an entity hold, as `key`. */
type HeldKeys = (caller: Caller, keys: readonly string[]) => Sql

const otherHolders: HeldKeys[] = []

/** Rows without an entity whose files everyone of the company may open. */
export const registerFileHolder = (findKeys: HeldKeys): void => {
  otherHolders.push(findKeys)
}

const holdsFiles = (field: Field): boolean => field.kind === 'file' || field.holdsFiles === true

/** What the calls that answer the field show this caller. */
function rowsOfReadCalls(entity: Entity, key: string, caller: Caller): Sql | undefined {
  const calls = readCallsOf(entity.name).filter(
    call => call.output.fields[key] && call.needs !== publicAccess && isAuthorized(call, caller),
  )
  const conditions = calls.map(call => sql`(${tenantFilter(entity, callerFor(call, caller))})`)
  return conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : undefined
}

/** The keys among those asked that visible records hold in one field. */
function heldKeys(entity: Entity, key: string, caller: Caller, keys: readonly string[]): Sql[] {
  const registered = visibleRowsByEntity.get(entity.name)
  const isVisible = registered ? registered(caller) : rowsOfReadCalls(entity, key, caller)
  if (!isVisible) return []
  const table = sql.table(entity.table)
  const column = sql.ref(`t.${columnOf(key)}`)
  const isCompany = sql`t.owner_id = ${caller.ownerId}`
  return entity.fields[key]?.kind === 'list'
    ? [
        sql`
          select unnest(${column}) as key
          from ${table} t
          where ${isCompany} and ${column} && ${[...keys]}::text[] and ${isVisible}
        `,
      ]
    : [
        sql`
          select ${column} as key
          from ${table} t
          where ${isCompany} and ${column} = any(${[...keys]}::text[]) and ${isVisible}
        `,
      ]
}

/** A form shows what it has stored before a record holds it. */
export const ownFileMs = 86_400_000

/** Those of the keys that the caller has stored a moment ago, with their types. */
export const findOwnUploads = (
  db: Pick<Db, 'rows'>,
  { ownerId, operatorId }: Pick<Caller, 'ownerId' | 'operatorId'>,
  keys: readonly string[],
  since: Date,
): Promise<{ readonly key: string; readonly type: string }[]> =>
  db.rows(sql`
    select key, type
    from file_store
    where owner_id = ${ownerId}
      and key = any(${[...keys]}::text[])
      and create_by = ${operatorId}
      and create_time > ${since}
  `)

/**
 * Those of the keys that the caller may open now. Index: one on each large table's file column
 * (`*_file_key`).
 */
export async function findOpenKeys(
  { clock, database }: Pick<App, 'clock' | 'database'>,
  caller: Caller,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!keys.length) return new Set()
  const db = database.reader(caller.ownerId)
  const own = await findOwnUploads(db, caller, keys, new Date(clock() - ownFileMs))
  const open = new Set(own.map(row => row.key))
  const others = keys.filter(key => !open.has(key))
  const holders = [
    ...allEntities()
      .filter(entity => entity.tenancy !== 'platform')
      .flatMap(entity =>
        storedKeys(entity)
          .filter(key => entity.fields[key] && holdsFiles(entity.fields[key]))
          .flatMap(key => heldKeys(entity, key, caller, others)),
      ),
    ...otherHolders.map(findKeys => findKeys(caller, others)),
  ]
  if (!others.length || !holders.length) return open
  const inUse = await db.rows<{ key: string }>(sql`${sql.join(holders, sql` union all `)}`)
  return new Set([...open, ...inUse.map(row => row.key)])
}

/** Those of the keys that any record of the company holds, also one in the recycle bin. */
export async function findHeldKeys(
  db: Pick<Db, 'rows'>,
  ownerId: Caller['ownerId'],
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!keys.length) return new Set()
  const asked = sql`${[...keys]}::text[]`
  const holders = allEntities()
    .filter(entity => entity.tenancy !== 'platform')
    .flatMap(entity =>
      storedKeys(entity)
        .filter(key => entity.fields[key] && holdsFiles(entity.fields[key]))
        .map(key => {
          const column = sql.ref(`t.${columnOf(key)}`)
          const table = sql.table(entity.table)
          return entity.fields[key]?.kind === 'list'
            ? sql`
                select unnest(${column}) as key
                from ${table} t
                where t.owner_id = ${ownerId} and ${column} && ${asked}
              `
            : sql`select ${column} as key from ${table} t where t.owner_id = ${ownerId} and ${column} = any(${asked})`
        }),
    )
  const rows = await db.rows<{ key: string }>(sql`${sql.join(holders, sql` union all `)}`)
  return new Set(rows.map(row => row.key))
}

/** The file keys that an input names, wherever in it they stand. */
function namedKeys(fields: Readonly<Record<string, Field>>, input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const values = valuesByKey(input)
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = values[key]
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (field.kind === 'part' || field.kind === 'lines')
      return all.flatMap(each => namedKeys(nestedFieldsOf(field), each))
    return holdsFiles(field) ? all.filter(each => typeof each === 'string') : []
  })
}

/**
 * A file that the caller may not open cannot be put into a record: the record would open it from then on.
 * What an edit keeps was not sent, and is not asked.
 */
export async function assertFilesOpen(
  app: Pick<App, 'clock' | 'database' | 'files'>,
  caller: Caller,
  { input: { fields } }: Call,
  { input, sent }: { readonly input: unknown; readonly sent: unknown },
): Promise<void> {
  const named = namedKeys(fields, input).filter(isFileKey)
  if (!named.length) return
  const text = JSON.stringify(sent)
  const stored = await app.files.describe(
    caller.ownerId,
    named.filter(key => text.includes(key)),
  )
  const keys = stored.map(file => file.key)
  const open = await findOpenKeys(app, caller, keys)
  if (keys.some(key => !open.has(key))) throw new Refused(resultCode.forbidden, '无权使用该文件，请重新上传')
}

/** What is wrong with files that are to be kept: keys that name none would be shown to nobody. */
export async function storedFileFaults(
  { app, scope }: { readonly app: Pick<App, 'files'>; readonly scope: Pick<Caller, 'ownerId'> },
  field: string,
  keys: readonly string[] = [],
): Promise<FieldFault[]> {
  if (!keys.length) return []
  const found = await app.files.describe(scope.ownerId, keys)
  if (found.length === new Set(keys).size) return []
  return [{ Field: field, Message: '附件不存在或已过期，请重新上传' }]
}
