import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { clearedValue, column, isNamed, replacementOf } from './column-values.ts'
import { readDeclaredTables } from './declared-tables.ts'
import type { RowsToErase } from './erase.ts'
import { isHeldByLaw } from './held.ts'
import { emptyHistory } from './history.ts'
import type { Person } from './person.ts'
import { readPeriods } from './retention-setting.ts'
import type { DeclaredTable } from './table-statements.ts'

type Sql = RawBuilder<unknown>

/** What stood in a row that is kept, by column: the name that the law asks a voucher for. */
function keptColumns(table: DeclaredTable, person: Person, isOwn: Sql): Sql {
  const by = replacementOf(person.all, person.code)
  const members = Object.entries(table.declared.columns).flatMap(([name, role]) => {
    if (!table.stored.columns.has(name) || (role !== 'keptName' && role !== 'named')) return []
    const isPerson = role === 'named' ? isNamed(name, by) : sql`(${isOwn} or ${isNamed(name, by)})`
    return [sql`${name}::text, case when ${isPerson} and ${column(name)} <> '' then ${column(name)} end`]
  })
  return members.length ? sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(members)}))` : sql`'{}'::jsonb`
}

/**
 * Marks what the law keeps of somebody who is erased: which rows of which table, until when, and the
 * names that stood in them. Nothing searches here. The years of a row are counted from the end of its own
 * year.
 */
export async function holdRows(
  tx: Tx,
  person: Person,
  requestId: Id,
  tables: readonly DeclaredTable[],
  { own, mentioned }: RowsToErase,
): Promise<void> {
  const periods = await readPeriods(tx, person.ownerId)
  for (const table of tables.filter(isHeldByLaw)) {
    const ownIds = own.get(table.name) ?? []
    const ids = [...ownIds, ...(mentioned.get(table.name) ?? [])]
    const years = periods.get(table.declared.retention ?? '')
    if (!ids.length || years === undefined) continue
    const isOwn = sql`t.id = any(${[...ownIds]}::bigint[])`
    await tx.execute(sql`
      insert into personal_data_hold (owner_id, request_id, table_name, row_ids, until_date, kept)
      select ${person.ownerId}::bigint, ${requestId}::bigint, ${table.name}::text,
        array_agg(k.id order by k.id),
        make_date(least(9999, k.year + ${years}::int), 12, 31),
        jsonb_agg(jsonb_build_object('id', k.id, 'columns', k.columns) order by k.id)
      from (
        select t.id, extract(year from t.create_time at time zone 'Asia/Shanghai')::int as year,
          ${keptColumns(table, person, isOwn)} as columns
        from ${sql.table(table.name)} t
        where t.owner_id = ${person.ownerId} and t.id = any(${ids}::bigint[])
      ) k
      group by k.year
      returning id
    `)
  }
}

interface DueHold {
  readonly id: Id
  readonly tableName: string
  readonly rowIds: readonly string[]
}

const holdsPerRun = 500

/** Free texts in these rows: with the names nothing of the person is left then. */
async function releaseRows(
  tx: Tx,
  ownerId: Id,
  table: DeclaredTable,
  rowIds: readonly string[],
): Promise<number> {
  const assignments = Object.entries(table.declared.columns).flatMap(([name, role]) => {
    const stored = table.stored.columns.get(name)
    const value = stored && role === 'text' ? clearedValue(role, stored) : undefined
    return value ? [sql`${sql.id(name)} = ${value}`] : []
  })
  if (!assignments.length) return rowIds.length
  return tx.execute(sql`
    update ${sql.table(table.name)} t
    set ${sql.join(assignments)}
    where t.owner_id = ${ownerId} and t.id = any(${[...rowIds]}::bigint[])
  `)
}

/** Ends what the law has kept long enough of people who were erased. */
export async function releaseDueHolds(
  database: Database,
  ownerId: Id,
  today: Day,
  time: string,
): Promise<number> {
  return database.tx(ownerId, async tx => {
    const due = await tx.rows<DueHold>(sql`
      select id, table_name, row_ids
      from personal_data_hold
      where owner_id = ${ownerId} and release_time is null and until_date < ${today}::date
      order by id
      limit ${holdsPerRun}
      for update skip locked
    `)
    if (!due.length) return 0
    const tables = new Map((await readDeclaredTables(tx)).map(table => [table.name, table]))
    let count = 0
    for (const hold of due) {
      const table = tables.get(hold.tableName)
      if (!table) continue
      count += await releaseRows(tx, ownerId, table, hold.rowIds)
      await emptyHistory(tx, ownerId, [...tables.values()], table.name, hold.rowIds)
    }
    await tx.execute(sql`
      update personal_data_hold
      set release_time = ${time}::timestamptz, kept = null
      where owner_id = ${ownerId} and id = any(${due.map(hold => hold.id)}::bigint[])
    `)
    await audit(tx, systemScope(ownerId, time), [
      { action: 'purge', entity: 'erasureRequest', entityId: 0, reason: `依法保留期满，清除 ${count} 行` },
    ])
    return count
  })
}
