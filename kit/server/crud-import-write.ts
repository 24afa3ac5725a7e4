import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { ImporterOptions, ImportFile, WrittenLine } from './crud-import.ts'
import { startValues } from './crud-write.ts'
import { sql, type RawBuilder, type Tx } from './db.ts'
import type { Scope } from './scope.ts'
import { searchTextOf } from './search-column.ts'
import type { LineResult, ReadyLine } from './sheet-import.ts'
import { touch } from './sql.ts'
import { recordsetOf } from './table.ts'

/** What the result file says of lines that went in, and of those that did not. */
export interface ImportTexts {
  readonly added: string
  /** Another record has taken one of the unique values since. */
  readonly duplicate: string
  readonly skipped: string
  readonly changed: string
  /** Overwriting it changed nothing; without it such a line counts as changed. */
  readonly unchanged: string | undefined
}

const textsFor = (entity: Entity<any>): ImportTexts => ({
  added: '已导入',
  duplicate: `与其他${entity.label}重复`,
  skipped: `已有此${entity.label}，已跳过`,
  changed: '已覆盖',
  unchanged: '与系统中的一致，无变化',
})

type Row = Readonly<Record<string, unknown>>
type Existing = Row & { readonly id: Id }
type Ready = ReadyLine<Row, Existing>
type Options = ImporterOptions<any, Row, any, any, Existing>
type File = ImportFile<Row, Existing, unknown>

interface Group {
  readonly lines: readonly Ready[]
  readonly existing: Existing | undefined
  readonly values: Row
}

/** Lines that are one record: what an earlier line says counts before a later one. */
function groupLines(entity: Entity<any>, options: Options, ready: readonly Ready[], file: File): Group[] {
  const stored = new Set(storedKeys(entity))
  const isWritten = (l: Ready): boolean => !l.existing || file.request.mode === 'update'
  const valuesOf = (l: Ready): Row =>
    options.values && isWritten(l)
      ? (options.values(l.row, file, l.existing) as Row)
      : Object.fromEntries(Object.entries(l.row).filter(([key]) => stored.has(key)))
  const groups = Map.groupBy(ready, l => options.groupBy?.(l.row) ?? String(l.line))
  return [...groups.values()].map(lines => ({
    lines,
    existing: defined(lines[0]).existing,
    values: Object.assign({}, ...lines.toReversed().map(valuesOf)) as Row,
  }))
}

const columnList = (columns: readonly string[], alias?: string): RawBuilder<unknown> =>
  sql.join(columns.map(c => (alias ? sql.ref(`${alias}.${c}`) : sql.id(c))))

/** The values of many records as the rows `r`, each with its id and its search text. */
function numberedRows(
  entity: Entity<any>,
  values: readonly Row[],
  ids: readonly Id[],
  searchTexts: readonly string[],
): { readonly columns: readonly string[]; readonly rows: RawBuilder<unknown> } {
  const { columns, as } = recordsetOf(entity, values)
  return {
    columns,
    rows: sql`(
      select r.*, x.row_id, x.row_search
      from (select *, row_number() over () as row_index from ${as}) r
      join unnest(
        ${[...ids]}::bigint[], ${[...searchTexts]}::text[]
      ) with ordinality x(row_id, row_search, row_index) on x.row_index = r.row_index
    ) r`,
  }
}

/** New ids, each with the automatic codes of its record. */
const reserveIds = (
  tx: Tx,
  entity: Entity<any>,
  codes: Readonly<Record<string, string | undefined>>,
  count: number,
): Promise<({ id: Id } & Row)[]> =>
  tx.rows(sql`
    select ${sql.join([
      sql`nextval(pg_get_serial_sequence(${entity.table}, 'id')) as id`,
      ...Object.entries(codes).map(([key, prefix]) => sql`next_code(${prefix}) as ${sql.id(columnOf(key))}`),
    ])}
    from generate_series(1, ${count}::int)
  `)

/** Adds new records in one statement. Returns the ids of those that broke no unique key. */
async function insertRows(
  tx: Tx,
  entity: Entity<any>,
  options: Options,
  scope: Scope,
  values: readonly Row[],
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const search = options.searchText
  const { columns, rows } = numberedRows(
    entity,
    values,
    ids,
    values.map(v => (search ? searchTextOf(search, v) : '')),
  )
  const inserted = await tx.rows<{ id: Id }>(sql`
    insert into ${sql.table(entity.table)} (
      owner_id, create_by, update_by, id, ${search ? sql`search_text, ` : sql``} ${columnList(columns)}
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, r.row_id,
      ${search ? sql`r.row_search, ` : sql``} ${columnList(columns, 'r')}
    from ${rows}
    on conflict do nothing
    returning id
  `)
  return new Set(inserted.map(r => r.id))
}

/** Overwrites records with the cells that are filled in. Returns the ids of those that it changed. */
async function updateRows(
  tx: Tx,
  entity: Entity<any>,
  options: Options,
  scope: Scope,
  groups: readonly Group[],
): Promise<ReadonlySet<Id>> {
  const search = options.searchText
  const { columns, rows } = numberedRows(
    entity,
    groups.map(g => g.values),
    groups.map(g => defined(g.existing).id),
    groups.map(g => (search ? searchTextOf(search, { ...defined(g.existing), ...g.values }) : '')),
  )
  const merged = sql.join(columns.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))
  const set = columns.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`)
  const changed = await tx.rows<{ id: Id }>(sql`
    update ${sql.table(entity.table)} t
    set ${sql.join(set)}, ${search ? sql`search_text = r.row_search, ` : sql``} ${touch(scope, 't')}
    from ${rows}
    where t.owner_id = ${scope.ownerId}
      and t.id = r.row_id
      and row(${merged}) is distinct from row(${columnList(columns, 't')})
    returning t.id
  `)
  return new Set(changed.map(r => r.id))
}

/** Writes the lines of a file in statements over sets, and says what became of each. */
export async function writeLines(
  tx: Tx,
  entity: Entity<any>,
  options: Options,
  ready: readonly Ready[],
  file: File,
): Promise<ReadonlyMap<number, LineResult>> {
  const { scope, mode, extraInput } = file.request
  const texts = { ...textsFor(entity), ...options.texts }
  const results = new Map<number, LineResult>()
  const setResults = (g: Group, outcome: LineResult['outcome'], message: string): void => {
    for (const l of g.lines) {
      results.set(l.line, { outcome, message })
    }
  }
  const groups = groupLines(entity, options, ready, file)
  const newGroups = groups.filter(g => !g.existing)
  const existingGroups = groups.filter(g => g.existing)
  const added: WrittenLine<Row, Existing>[] = []
  if (newGroups.length) {
    const reserved = await reserveIds(tx, entity, options.codes ?? {}, newGroups.length)
    const project = entity.tenancy === 'project' ? { projectCode: extraInput.projectCode as string } : {}
    const values = newGroups.map(({ values: own }, i) => {
      const filled = Object.fromEntries(Object.entries(own).filter(([, v]) => v !== undefined))
      const { id: _id, ...codes } = defined(reserved[i])
      return { ...(options.start ?? startValues(entity)), ...codes, ...filled, ...project }
    })
    const ids = reserved.map(r => r.id)
    const inserted = await insertRows(tx, entity, options, scope, values, ids)
    for (const [i, group] of newGroups.entries()) {
      const id = defined(ids[i])
      if (inserted.has(id)) {
        added.push({ id, values: defined(values[i]), lines: group.lines, existing: undefined, changed: true })
        setResults(group, 'added', texts.added)
      } else {
        setResults(group, 'failed', texts.duplicate)
      }
    }
  }
  const isUpdate = mode === 'update' && existingGroups.length > 0
  const changed = isUpdate ? await updateRows(tx, entity, options, scope, existingGroups) : undefined
  for (const group of existingGroups) {
    if (!changed) {
      setResults(group, 'skipped', texts.skipped)
    } else if (changed.has(defined(group.existing).id) || texts.unchanged === undefined) {
      setResults(group, 'changed', texts.changed)
    } else {
      setResults(group, 'skipped', texts.unchanged)
    }
  }
  const existing = existingGroups.map(group => ({
    id: defined(group.existing).id,
    values: group.values,
    lines: group.lines,
    existing: group.existing,
    changed: changed?.has(defined(group.existing).id) ?? false,
  }))
  await options.afterWrite?.(tx, { added, existing }, file, results)
  return results
}
