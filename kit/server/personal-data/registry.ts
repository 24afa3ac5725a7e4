import { sql } from '../db.ts'
import type {
  ByPersonKind,
  ErasureBlocker,
  PeopleSearch,
  PeopleSql,
  PersonalData,
  PersonalTable,
  PersonKind,
  RetentionRule,
  TransientTable,
} from './declaration.ts'
import { kitPersonalData } from './kit-tables.ts'

const declared: PersonalData[] = [kitPersonalData]

/** What would let its reader in somewhere, or is stored for machines: it is never handed out. */
const secretColumn =
  /(^|[^a-z])(password|pwd|secret|totp|recovery|tokens?|key|hash|sha256|salt|signature|template|ticket|open_id|wechat|subject|search_text|pinyin)([^a-z]|$)/

export const isSecretColumn = (text: string): boolean => secretColumn.test(text)

/** A module declares once, as it is loaded, what it keeps of people. */
export const registerPersonalData = (data: PersonalData): void => {
  for (const [name, table] of Object.entries(data.tables ?? {})) {
    const exported = isTransient(table) ? [] : (table.exported ?? [])
    const secrets = exported
      .map(each => (typeof each === 'string' ? each : each.column))
      .filter(each => isSecretColumn(each))
    if (secrets.length) throw new Error(`${name}: a person is never given ${secrets.join(', ')}`)
  }
  declared.push(data)
}

export const personKinds = (): readonly PersonKind[] => declared.flatMap(data => data.kinds ?? [])
export const peopleSearches = (): readonly PeopleSearch[] => declared.flatMap(data => data.searches ?? [])
export const erasureBlockers = (): readonly ErasureBlocker[] => declared.flatMap(data => data.blockers ?? [])
export const retentionRules = (): readonly RetentionRule[] => declared.flatMap(data => data.retention ?? [])
export const erasureListeners = () => declared.flatMap(data => (data.onErased ? [data.onErased] : []))
export const erasingListeners = () => declared.flatMap(data => (data.onErasing ? [data.onErasing] : []))
export const notPersonalColumns = (): readonly string[] => declared.flatMap(data => data.notPersonal ?? [])

export const isTransient = (table: PersonalTable | TransientTable): table is TransientTable =>
  'transient' in table

/** Rows of people of one kind by any of several links. */
function anyLink(all: readonly ByPersonKind<PeopleSql>[]): ByPersonKind<PeopleSql> {
  const joined = new Map<string, PeopleSql>()
  for (const [kind, rows] of all.flatMap(byKind => Object.entries(byKind))) {
    const others = joined.get(kind)
    joined.set(kind, others ? people => sql`(${others(people)} or ${rows(people)})` : rows)
  }
  return Object.fromEntries(joined)
}

/** With the rows that other modules know to be a person's own. */
function withOwnRows(name: string, table: PersonalTable | TransientTable): PersonalTable | TransientTable {
  const others = declared.map(data => data.ownRows?.[name]).filter(rows => rows !== undefined)
  if (isTransient(table) || !others.length) return table
  return { ...table, people: anyLink([table.people ?? {}, ...others]) }
}

export const declaredPersonalTables = (): ReadonlyMap<string, PersonalTable | TransientTable> =>
  new Map(
    declared.flatMap(data =>
      Object.entries(data.tables ?? {}).map(([name, table]) => [name, withOwnRows(name, table)] as const),
    ),
  )

/** The tables in which people are looked for. */
export const personalTables = (): readonly (readonly [name: string, table: PersonalTable])[] =>
  [...declaredPersonalTables()].flatMap(([name, table]) =>
    isTransient(table) ? [] : [[name, table] as const],
  )

/** Rows whose column holds the person's number. */
export const inColumn =
  (column: string): PeopleSql =>
  ({ ids }) =>
    sql`t.${sql.id(column)} = any(${[...ids]}::bigint[])`
