import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { ImporterOptions, ImportFile, WrittenLine } from './crud-import-options.ts'
import { startValues } from './crud-write.ts'
import type { Tx } from './db.ts'
import { insertIdentified, reserveIds, updateIdentified } from './identified-rows.ts'
import type { LineResult, ReadyLine } from './import-definition.ts'
import { searchTextOf } from './search-column.ts'

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
type Options = ImporterOptions<any, Row, any, any, any, Existing>
type File = ImportFile<Row, any, any>

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

/** Adds the records of new groups; those that break a unique key in the meantime are left out. */
async function insertGroups(
  tx: Tx,
  entity: Entity<any>,
  options: Options,
  groups: readonly Group[],
  { request: { scope, extraInput } }: File,
): Promise<WrittenLine<Row, Existing>[]> {
  const reserved = await reserveIds(tx, entity, groups.length, options.codes)
  const project = entity.tenancy === 'project' ? { projectCode: extraInput.projectCode as string } : {}
  const records = groups.map(({ lines, values }, i) => {
    const { id, ...codes } = defined(reserved[i])
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const record: Row = { ...(options.start ?? startValues(entity)), ...codes, ...filled, ...project }
    const searchText = options.searchText && searchTextOf(options.searchText, record)
    return { id, lines, values: record, searchText, existing: undefined, changed: true }
  })
  const inserted = await insertIdentified(tx, entity, scope, records, options.insertOrder)
  return records.filter(record => inserted.has(record.id))
}

/** Writes the filled cells over the records of groups. Returns the ids of those that it changed. */
const updateGroups = (
  tx: Tx,
  entity: Entity<any>,
  { searchText }: Options,
  groups: readonly Group[],
  { request }: File,
): Promise<ReadonlySet<Id>> =>
  updateIdentified(
    tx,
    entity,
    request.scope,
    groups.map(({ existing, values }) => ({
      id: defined(existing).id,
      values,
      searchText: searchText && searchTextOf(searchText, { ...existing, ...values }),
    })),
  )

/** Writes the lines of a file in statements over sets, and says what became of each. */
export async function writeLines(
  tx: Tx,
  entity: Entity<any>,
  options: Options,
  ready: readonly Ready[],
  file: File,
): Promise<ReadonlyMap<number, LineResult>> {
  const texts = { ...textsFor(entity), ...options.texts }
  const results = new Map<number, LineResult>()
  const setResults = (g: Pick<Group, 'lines'>, outcome: LineResult['outcome'], message: string): void => {
    for (const l of g.lines) {
      results.set(l.line, { outcome, message })
    }
  }
  const groups = groupLines(entity, options, ready, file)
  const newGroups = groups.filter(g => !g.existing)
  const existingGroups = groups.filter(g => g.existing)
  const added = await insertGroups(tx, entity, options, newGroups, file)
  for (const group of newGroups) {
    setResults(group, 'failed', texts.duplicate)
  }
  for (const record of added) {
    setResults(record, 'added', texts.added)
  }
  const isUpdate = file.request.mode === 'update' && existingGroups.length > 0
  const changed = isUpdate ? await updateGroups(tx, entity, options, existingGroups, file) : undefined
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
