import { buildSearchText } from '#kit/domain/search-text.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { isFileKey } from '#kit/server/files.ts'
import { erasureListeners } from '#kit/server/personal-data/registry.ts'
import { peopleOfKind, type Person } from './person.ts'
import {
  anyOf,
  elsewhereAssignments,
  foundColumns,
  isTreatedElsewhere,
  ownAssignments,
  ownConditions,
  type DeclaredTable,
} from './table-statements.ts'

type Sql = RawBuilder<unknown>

const rowsWhere = (person: Person, condition: Sql): Sql =>
  sql`t.owner_id = ${person.ownerId} and ${condition}`

/** Keys of the files that the chosen columns of these rows hold. */
export async function readFileKeys(tx: Tx, table: DeclaredTable, columns: readonly string[], where: Sql) {
  const holding = columns.filter(
    name => table.declared.columns[name] === 'files' && table.stored.columns.has(name),
  )
  const keys: string[] = []
  for (const name of holding) {
    const rows = await tx.rows<{ files?: string | readonly string[] }>(sql`
      select t.${sql.id(name)} as files
      from ${sql.table(table.name)} t
      where ${where} and t.${sql.id(name)} is not null
    `)
    keys.push(...rows.flatMap(row => row.files ?? []))
  }
  return keys.filter(isFileKey)
}

/** Search texts of rows that were changed, made of what is in them now. */
export async function rebuildSearchTexts(
  tx: Tx,
  table: DeclaredTable,
  ownerId: Id,
  ids: readonly string[],
): Promise<void> {
  const { searchText } = table.declared
  if (!searchText || !ids.length) return
  const texts = (columns: readonly string[]): Sql =>
    sql`array[${sql.join(columns.map(name => sql`t.${sql.id(name)}::text`))}]`
  const rows = await tx.rows<{ id: string; names: (string | null)[]; codes: (string | null)[] }>(sql`
    select t.id::text as id, ${texts(searchText.names)} as names, ${texts(searchText.codes)} as codes
    from ${sql.table(table.name)} t
    where t.owner_id = ${ownerId} and t.id = any(${[...ids]}::bigint[])
  `)
  const present = (values: readonly (string | null)[]): (string | undefined)[] =>
    values.map(value => value ?? undefined)
  const built = rows.map(row => buildSearchText(present(row.names), present(row.codes)))
  await tx.execute(sql`
    update ${sql.table(table.name)} t
    set search_text = s.search_text
    from unnest(${rows.map(row => row.id)}::bigint[], ${built}::text[]) as s(id, search_text)
    where t.owner_id = ${ownerId} and t.id = s.id
  `)
}

async function changeRows(tx: Tx, table: DeclaredTable, person: Person, assignments: Sql[], condition: Sql) {
  const changed = await tx.rows<{ key?: string }>(sql`
    update ${sql.table(table.name)} t
    set ${sql.join(assignments)}
    where ${rowsWhere(person, condition)}
    returning ${table.declared.searchText ? sql`t.id::text` : sql`null`} as key
  `)
  await rebuildSearchTexts(
    tx,
    table,
    person.ownerId,
    changed.flatMap(row => row.key ?? []),
  )
  return changed.length
}

/** The person's own rows; returns how many, and the files that nothing names any more. */
async function eraseOwnRows(tx: Tx, table: DeclaredTable, person: Person) {
  const own = ownConditions(table, person)
  if (!own.length) return { count: 0, files: [] }
  const where = rowsWhere(person, anyOf(own))
  const files = await readFileKeys(tx, table, Object.keys(table.declared.columns), where)
  if (table.declared.isDeleted) {
    const count = await tx.execute(sql`delete from ${sql.table(table.name)} t where ${where}`)
    return { count, files }
  }
  const assignments = ownAssignments(table, person)
  const count = assignments.length ? await changeRows(tx, table, person, assignments, anyOf(own)) : 0
  return { count, files }
}

async function eraseElsewhere(tx: Tx, table: DeclaredTable, person: Person): Promise<number> {
  const found = foundColumns(table, person, isTreatedElsewhere)
  if (!found.length) return 0
  const condition = anyOf(found.map(([, each]) => each))
  return changeRows(tx, table, person, elsewhereAssignments(table, person, found), condition)
}

export interface ErasedTable {
  readonly name: string
  readonly count: number
}

/**
 * Erases a person in all declared tables, within the transaction. Rows that go are deleted before those that
 * they refer to: a table is declared after the one that its rows belong to.
 */
export async function erasePerson(
  tx: Tx,
  app: App,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<ErasedTable[]> {
  const erased: ErasedTable[] = []
  const files: string[] = []
  // What was logged of a row is found by the row: logs go before it.
  const [logs, others] = [tables.filter(table => table.rowHistory), tables.filter(table => !table.rowHistory)]
  for (const table of [...logs, ...others.toReversed()]) {
    const own = await eraseOwnRows(tx, table, person)
    const elsewhere = await eraseElsewhere(tx, table, person)
    files.push(...own.files)
    erased.push({ name: table.name, count: own.count + elsewhere })
  }
  await app.files.discard(tx, person.ownerId, files)
  for (const listeners of erasureListeners()) {
    for (const [entity, listen] of Object.entries(listeners)) {
      const people = peopleOfKind(person, entity)
      if (people) {
        await listen({ ...people, tx, app })
      }
    }
  }
  return erased
}
