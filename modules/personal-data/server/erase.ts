import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { erasingListeners, erasureListeners } from '#kit/server/personal-data/registry.ts'
import { anyOf } from './column-values.ts'
import { copyStatements } from './copies.ts'
import { discardUnused, readFileKeys } from './file-keys.ts'
import { entitiesByTable, isLog } from './declared-tables.ts'
import { mentionAssignments, mentionCondition, type Mention } from './mentions.ts'
import { confirmedKeys, peopleOfKind, type Person } from './person.ts'
import { rebuildSearchTexts } from './search-texts.ts'
import {
  besideAssignments,
  besideColumns,
  isConfirmed,
  ownAssignments,
  ownConditions,
  type DeclaredTable,
} from './table-statements.ts'

type Sql = RawBuilder<unknown>

const rowsWhere = (person: Person, condition: Sql): Sql =>
  sql`t.owner_id = ${person.ownerId} and ${condition}`

const hasId = ({ stored }: DeclaredTable): boolean => stored.key.join() === 'id'

const isIn = (ids: readonly string[]): Sql => sql`t.id = any(${[...ids]}::bigint[])`

/** Which rows are touched, found before anything changes: a name that gave way would not be found again. */
export interface RowsToErase {
  readonly own: ReadonlyMap<string, readonly string[]>
  /** Confirmed, and somebody else's. */
  readonly mentioned: ReadonlyMap<string, readonly string[]>
}

const readIds = async (tx: Tx, table: DeclaredTable, person: Person, condition: Sql): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`
    select t.id::text as id
    from ${sql.table(table.name)} t
    where ${rowsWhere(person, condition)}
    order by t.id
    for update of t
  `)
  return rows.map(row => row.id)
}

/** Locks the rows, table by table and in the order of their numbers. */
export async function lockRows(
  tx: Tx,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<RowsToErase> {
  const own = new Map<string, string[]>()
  const mentioned = new Map<string, string[]>()
  for (const table of tables.filter(hasId).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const conditions = ownConditions(table, person)
    if (conditions.length) {
      own.set(table.name, await readIds(tx, table, person, anyOf(conditions)))
    }
    const [confirmed, found] = [isConfirmed(table, person), mentionCondition(table, person)]
    if (confirmed && found) {
      mentioned.set(table.name, await readIds(tx, table, person, sql`${confirmed} and ${found}`))
    }
  }
  return { own, mentioned }
}

async function changeRows(tx: Tx, table: DeclaredTable, person: Person, assignments: Sql[], condition: Sql) {
  if (!assignments.length) return 0
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

/** The person's own rows; returns how many, and the files that they named. */
async function eraseOwnRows(tx: Tx, table: DeclaredTable, person: Person, isOwn: Sql) {
  const where = rowsWhere(person, isOwn)
  const files = await readFileKeys(tx, table, Object.keys(table.declared.columns), where)
  if (table.declared.isDeleted) {
    const count = await tx.execute(sql`delete from ${sql.table(table.name)} t where ${where}`)
    return { count, files }
  }
  return { count: await changeRows(tx, table, person, ownAssignments(table, person), isOwn), files }
}

const ownRowsOf = (table: DeclaredTable, person: Person, { own }: RowsToErase): Sql | undefined => {
  if (hasId(table)) {
    const ids = own.get(table.name)
    return ids?.length ? isIn(ids) : undefined
  }
  const conditions = ownConditions(table, person)
  return conditions.length ? anyOf(conditions) : undefined
}

function mentionedRowsOf(table: DeclaredTable, person: Person, { mentioned }: RowsToErase): Sql | undefined {
  if (hasId(table)) {
    const ids = mentioned.get(table.name)
    return ids?.length ? isIn(ids) : undefined
  }
  const [confirmed, found] = [isConfirmed(table, person), mentionCondition(table, person)]
  return confirmed && found ? sql`(${confirmed} and ${found})` : undefined
}

async function eraseBeside(tx: Tx, table: DeclaredTable, person: Person): Promise<number> {
  const beside = besideColumns(table, person)
  if (!beside.length) return 0
  const condition = anyOf(beside.map(([, each]) => each))
  return changeRows(tx, table, person, besideAssignments(table, person), condition)
}

/** What a log has of rows that nobody has confirmed stays as those rows do. */
function untouchedRows(table: DeclaredTable, mentions: readonly Mention[], person: Person): Sql | undefined {
  const history = isLog(table) ? table.declared.history : undefined
  if (!history) return undefined
  const entities = entitiesByTable()
  const [entityText, idColumn] = history
  const conditions = [...Map.groupBy(mentions, each => each.tableName)].flatMap(([name, rows]) => {
    const ids = rows.map(row => row.rowKey).filter(key => !confirmedKeys(person, name).includes(key))
    return entities.has(name) && ids.length
      ? [
          sql`(
            ${sql.raw(entityText)} = ${entities.get(name)}
            and t.${sql.id(idColumn)}::text = any(${ids}::text[])
          )`,
        ]
      : []
  })
  return conditions.length ? anyOf(conditions) : undefined
}

async function eraseCopies(
  tx: Tx,
  table: DeclaredTable,
  person: Person,
  mentions: readonly Mention[],
): Promise<number> {
  const copies =
    table.declared.isCopy && copyStatements(table, person, untouchedRows(table, mentions, person))
  return copies ? changeRows(tx, table, person, copies.assignments, copies.condition) : 0
}

/** Files that were handed out may hold anybody: those of all rows go, and the rows stay. */
async function emptyBulkFiles(tx: Tx, table: DeclaredTable, person: Person): Promise<string[]> {
  const columns = Object.entries(table.declared.columns).flatMap(([name, role]) =>
    role === 'bulkFiles' ? [name] : [],
  )
  if (!columns.length) return []
  const where = rowsWhere(person, anyOf(columns.map(name => sql`t.${sql.id(name)} is not null`)))
  const files = await readFileKeys(tx, table, columns, where, ['bulkFiles'])
  await tx.execute(sql`
    update ${sql.table(table.name)} t
    set ${sql.join(columns.map(name => sql`${sql.id(name)} = null`))}
    where ${where}
  `)
  return files
}

/** Files that were handed in: what they hold is not searched, so all of them go. */
async function emptyTable(tx: Tx, table: DeclaredTable, person: Person) {
  const where = rowsWhere(person, sql`true`)
  const files = await readFileKeys(tx, table, Object.keys(table.declared.columns), where)
  return { count: await tx.execute(sql`delete from ${sql.table(table.name)} t where ${where}`), files }
}

async function eraseTable(
  tx: Tx,
  table: DeclaredTable,
  person: Person,
  rows: RowsToErase,
  mentions: readonly Mention[],
) {
  if (table.declared.isEmptied) return emptyTable(tx, table, person)
  const isOwn = ownRowsOf(table, person, rows)
  const own = isOwn ? await eraseOwnRows(tx, table, person, isOwn) : { count: 0, files: [] }
  const isMentioned = mentionedRowsOf(table, person, rows)
  const others = isMentioned
    ? await changeRows(tx, table, person, mentionAssignments(table, person, person.ownerId), isMentioned)
    : 0
  const beside = await eraseBeside(tx, table, person)
  const copies = await eraseCopies(tx, table, person, mentions)
  const bulk = await emptyBulkFiles(tx, table, person)
  return { count: own.count + others + beside + copies, files: [...own.files, ...bulk] }
}

async function hear(
  all: ReturnType<typeof erasureListeners>,
  person: Person,
  tx: Tx,
  app: App,
): Promise<void> {
  for (const listeners of all) {
    for (const [entity, listen] of Object.entries(listeners)) {
      const people = peopleOfKind(person, entity)
      if (people) {
        await listen({ ...people, tx, app })
      }
    }
  }
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
  { rows, mentions }: { readonly rows: RowsToErase; readonly mentions: readonly Mention[] },
): Promise<void> {
  const files: string[] = []
  await hear(erasingListeners(), person, tx, app)
  // What was logged of a row is found by the row: logs go before it.
  const [logs, others] = [tables.filter(table => !hasId(table)), tables.filter(hasId)]
  for (const table of [...logs, ...others.toReversed()]) {
    files.push(...(await eraseTable(tx, table, person, rows, mentions)).files)
  }
  await discardUnused(tx, app, person.ownerId, files)
  await hear(erasureListeners(), person, tx, app)
}
