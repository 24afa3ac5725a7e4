import type { Id } from '#kit/domain/id.ts'
import type { Field, Fields, ValueOf } from '#kit/contract/field.ts'
import type { CrudImport } from '#kit/contract/crud-sheet.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import { writeLines, type ImportTexts } from './crud-import-write.ts'
import { sql, type Db, type RawBuilder, type Tx } from './db.ts'
import { defined } from '#kit/domain/defined.ts'
import { toEntityRow } from './column-storage.ts'
import { hasProject, outOfDomain } from './scope.ts'
import type { SearchTextFields } from './search-column.ts'
import type { ImportDefinition, ImportRequest, ImportSession, LineResult, ReadyLine } from './sheet-import.ts'
import { type Entity, columnOf, storedKeys } from '#kit/contract/entity.ts'
import { notDeleted } from './sql.ts'
import { recordsetOf } from './table.ts'

/** One thing that is wrong with a line: the key of its column, what, and what to do. */
export interface LineFault {
  readonly column: string
  readonly message: string
  readonly remedy: string
}

/** A field, or several that name a record together. */
type MatchKey<K extends string = string> = K | readonly K[]

/** What rules and writing know of one file; `data` is what `load` gathered. */
export interface ImportFile<T, E, C> {
  readonly request: ImportRequest<any>
  readonly lines: readonly SheetLine<T>[]
  readonly data: C
  /** The record that has this value in a field of `match` or `unique`; of several fields, their values. */
  readonly existingBy: (key: MatchKey, value: unknown) => E | undefined
  /** The first line of the sheet that has this value in a column, or these in the fields of a match. */
  readonly firstLineBy: (key: MatchKey, value: unknown) => SheetLine<T> | undefined
}

/** A line with the record that it is about: the new one, or the one that was there. */
export interface WrittenLine<T, E> {
  readonly id: Id
  readonly values: Readonly<Record<string, unknown>>
  readonly lines: readonly ReadyLine<T, E>[]
  readonly existing: E | undefined
  /** The import wrote it: it is new, or it was overwritten with something else. */
  readonly changed: boolean
}

type ImportInput<X> = { readonly scope: ImportRequest<X>['scope']; readonly extraInput: X }

export interface ImporterOptions<F extends Fields, T, X extends Fields, C, E = ValueOf<F>> {
  readonly calls: CrudImport<T, X>
  /** Names its task and its files; by default the menu of its permission. */
  readonly kind?: string
  readonly hiddenInTemplate?: readonly string[]
  /** Live pull-down lists of the template, by column (IMP-7). */
  readonly templateOptions?: (
    db: Db,
    request: ImportInput<ValueOf<X>>,
  ) => Promise<Readonly<Record<string, readonly string[]>>>
  /** What references and rules need to know; with `lock` inside the writing transaction. */
  readonly load?: (
    db: Db,
    request: ImportRequest<ValueOf<X>>,
    lock: boolean,
    lines: readonly SheetLine<T>[],
  ) => Promise<C>
  /** What the name in a reference's cell may mean, by column. */
  readonly references?: { readonly [column: string]: (name: string, data: C) => readonly unknown[] }
  /** Fields by which a line is about a record that is there; the first that finds one counts. */
  readonly match: readonly MatchKey<keyof F & string>[]
  /** Other records that the rules of a line ask about, by values of `match`: those it refers to. */
  readonly alsoFind?: (row: Partial<T>) => readonly object[]
  /**
   * Other unique fields: rules ask who has them (`existingBy`). A line with an immutable one that is another
   * record's, or not that of its own, is refused.
   */
  readonly unique?: readonly (keyof F & string)[]
  /** Records that count as existing, where not every live one does, by field. */
  readonly matchWhere?: { readonly [K in keyof F]?: RawBuilder<any> }
  /** Locks the records that are there against changes while the import writes. */
  readonly lockExisting?: boolean
  /** After the lines are read and their records found: what rules ask of other tables, in few queries. */
  readonly prepare?: (db: Db, file: ImportFile<T, E, C>) => Promise<unknown>
  readonly rules?: (
    row: Partial<T>,
    existing: E | undefined,
    file: ImportFile<T, E, C>,
  ) => readonly LineFault[]
  /** Whether a line of a record that is there is left out in the mode that skips; by default all are. */
  readonly isSkipped?: (row: T, file: ImportFile<T, E, C>) => boolean
  /** What is stored of a line; by default its fields of the entity. */
  readonly values?: (row: T, file: ImportFile<T, E, C>, existing: E | undefined) => object
  /** What a new record begins with; by default the start values of the entity. */
  readonly start?: object
  /** Lines that are one record together; by default each line is its own record. */
  readonly groupBy?: (row: T) => string
  readonly afterWrite?: (
    tx: Tx,
    written: {
      readonly added: readonly WrittenLine<T, E>[]
      readonly existing: readonly WrittenLine<T, E>[]
    },
    file: ImportFile<T, E, C>,
    results: Map<number, LineResult>,
  ) => Promise<unknown>
  readonly texts?: Partial<ImportTexts>
  readonly codes?: { readonly [key: string]: string | undefined }
  readonly searchText?: SearchTextFields<F>
}

/** The import of an entity for `crudHandlers`; `load` stands before what uses what it gathers. */
export const defineImport = <F extends Fields, T, X extends Fields, C = undefined>(
  _entity: { readonly entity: Entity<F> },
  calls: CrudImport<T, X>,
  options: Omit<ImporterOptions<F, T, X, C>, 'calls'>,
): ImporterOptions<F, T, X, C> => ({ ...options, calls })

type Values = Readonly<Record<string, unknown>>

/** Names a match among others, and writes values as one key of a map: lists compare by what they say. */
const mapKey = (value: unknown): string => String(value)

/** The value of a match in a record or line; of several fields all must be filled in. */
function matchValue(row: Values, key: MatchKey): unknown {
  if (typeof key === 'string') return row[key]
  const values = key.map(k => row[k])
  return values.includes(undefined) ? undefined : values
}

function indexBy<V>(all: readonly V[], keys: readonly MatchKey[], rowOf: (v: V) => Values) {
  const maps = new Map(keys.map(key => [mapKey(key), new Map<string, V>()]))
  for (const item of all) {
    for (const key of keys) {
      const value = matchValue(rowOf(item), key)
      const map = defined(maps.get(mapKey(key)))
      if (value !== undefined && value !== '' && !map.has(mapKey(value))) {
        map.set(mapKey(value), item)
      }
    }
  }
  return (key: MatchKey, value: unknown): V | undefined =>
    value === undefined ? undefined : maps.get(mapKey(key))?.get(mapKey(value))
}

/** Records that have a value of these rows in a field, or in the fields of a natural key. */
function matchCondition(
  entity: Entity<any>,
  key: MatchKey,
  rows: readonly Values[],
): RawBuilder<unknown> | undefined {
  if (typeof key === 'string') {
    const values = rows.flatMap(row => row[key] ?? [])
    return values.length ? sql`t.${sql.id(columnOf(key))} = any(${values})` : undefined
  }
  const named = rows.filter(row => matchValue(row, key) !== undefined)
  if (!named.length) return undefined
  const { columns, as } = recordsetOf(
    entity,
    named.map(row => Object.fromEntries(key.map(k => [k, row[k]]))),
  )
  const ids = columns.map(c => sql.id(c))
  return sql`(${sql.join(ids.map(id => sql`t.${id}`))}) in (select ${sql.join(ids.map(id => sql`r.${id}`))} from ${as})`
}

const matchKeys = (x: Pick<ImporterOptions<any, any, any, any>, 'match' | 'unique'>): MatchKey[] => [
  ...new Map([...x.match, ...(x.unique ?? [])].map((key: MatchKey) => [mapKey(key), key])).values(),
]

/** Live records of the company (and project) that have a value of the rows in one of these fields. */
async function findExistingRows(
  db: Db,
  entity: Entity<any>,
  options: ImporterOptions<any, any, any, any>,
  request: ImportRequest<{ projectCode?: string }>,
  rows: readonly Values[],
  lock: boolean,
): Promise<Values[]> {
  const conditions = matchKeys(options).flatMap(key => {
    const condition = matchCondition(entity, key, rows)
    const only = typeof key === 'string' ? options.matchWhere?.[key] : undefined
    return condition ? [sql`(${condition} ${only ? sql`and ${only}` : sql``})`] : []
  })
  if (!conditions.length) return []
  const project =
    entity.tenancy === 'project' ? sql`and t.project_code = ${request.extraInput.projectCode}` : sql``
  const found = await db.rows<Values>(sql`
    select ${sql.join(storedKeys(entity).map(key => sql`t.${sql.id(columnOf(key))}`))}
    from ${sql.table(entity.table)} t
    where t.owner_id = ${request.scope.ownerId} ${project}
      and ${notDeleted('t')}
      and (${sql.join(conditions, sql` or `)})
    order by t.id ${lock && options.lockExisting ? sql`for update of t` : sql``}
  `)
  return found.map(r => toEntityRow(entity, r) as Values)
}

/** A code stays with its record, and no other has it. */
function codeFaults(
  entity: Entity<any>,
  keys: readonly string[],
  row: Values,
  existing: Values | undefined,
  { existingBy, firstLineBy }: ImportFile<any, any, any>,
): LineFault[] {
  const codes = keys.filter(key => (entity.fields[key] as Field).immutable && row[key] !== undefined)
  const nameOf = (record: Values): string => String(record[entity.title] ?? '')
  return codes.flatMap((key): LineFault[] => {
    const { label } = entity.fields[key] as Field
    const code = label.replace(entity.label, '')
    const fault = (message: string, remedy: string) => [{ column: key, message, remedy }]
    if (existing)
      return row[key] === existing[key]
        ? []
        : fault(
            `该${entity.label}的${code}是「${String(existing[key])}」，不能修改`,
            `改回原来的${code}，或留空`,
          )
    const holder: Values | undefined = existingBy(key, row[key])
    if (holder) return fault(`${label}已用于「${nameOf(holder)}」`, `更换${code}，或留空自动生成`)
    const first: Values | undefined = firstLineBy(key, row[key])?.row
    return first && nameOf(first) !== nameOf(row)
      ? fault(`表中另一${entity.label}「${nameOf(first)}」已使用该${code}`, `各用不同的${code}`)
      : []
  })
}

/** The import of an entity: reads, names, matches, judges and writes by what these options say. */
export function importer<F extends Fields, T, X extends Fields, C>(
  entity: Entity<F>,
  about: ImporterOptions<F, T, X, C> & { readonly kind: string },
): ImportDefinition<T, X> {
  const openSession = async (
    db: Db,
    request: ImportRequest<any>,
    lines: readonly SheetLine<T>[],
    lock: boolean,
  ): Promise<ImportSession<T, any>> => {
    if (entity.tenancy === 'project' && !hasProject(request.scope.domain, request.extraInput.projectCode))
      throw outOfDomain()
    const data = (await about.load?.(db, request, lock, lines)) as C
    let file: ImportFile<T, any, C> = {
      request,
      lines,
      data,
      existingBy: () => undefined,
      firstLineBy: () => undefined,
    }
    return {
      findReferences: (key, name) => about.references?.[key]?.(name, data) ?? [],
      findExisting: async read => {
        const options = about as ImporterOptions<any, any, any, any>
        const rows = read.flatMap(l => [l.row, ...(about.alsoFind?.(l.row) ?? [])] as readonly Values[])
        const existing = await findExistingRows(db, entity, options, request, rows, lock)
        const existingBy = indexBy(existing, matchKeys(options), r => r)
        const columns = [...about.calls.schema.columns.map(c => c.key), ...options.match]
        const firstLineBy = indexBy(read, columns, l => l.row as Values)
        file = { ...file, lines: read, existingBy, firstLineBy }
        await about.prepare?.(db, file)
        const matchOf = (row: Values) =>
          options.match.map(key => existingBy(key, matchValue(row, key))).find(found => found !== undefined)
        return new Map(
          read.flatMap(l => {
            const found = matchOf(l.row)
            return found ? [[l.line, found] as const] : []
          }),
        )
      },
      checkRow: (row, existing) => [
        ...codeFaults(entity, about.unique ?? [], row, existing, file),
        ...(about.rules?.(row, existing, file) ?? []),
      ],
      isSkipped: ({ row, existing }) =>
        existing !== undefined && request.mode === 'skip' && about.isSkipped?.(row, file) !== false,
      apply: (tx, ready) =>
        writeLines(tx, entity as Entity<any>, about as never, ready as never, file as never),
    }
  }
  return {
    kind: about.kind,
    calls: about.calls,
    sheet: about.calls.schema,
    ...(about.hiddenInTemplate ? { hiddenInTemplate: about.hiddenInTemplate } : {}),
    ...(about.templateOptions ? { templateOptions: about.templateOptions } : {}),
    openSession,
  }
}
