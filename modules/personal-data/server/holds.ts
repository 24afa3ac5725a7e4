import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { isHeldByLaw } from './held.ts'
import type { Person } from './person.ts'
import { readPeriods } from './retention-setting.ts'
import { anyOf, ownConditions, ownValue, type DeclaredTable } from './table-statements.ts'

/**
 * Marks what the law keeps of somebody who is erased: which rows of which table, until when. The years of a
 * row are counted from the end of its own year.
 */
export async function holdRows(
  tx: Tx,
  person: Person,
  requestId: Id,
  tables: readonly DeclaredTable[],
): Promise<void> {
  const periods = await readPeriods(tx, person.ownerId)
  for (const table of tables.filter(isHeldByLaw)) {
    const own = ownConditions(table, person)
    const years = periods.get(table.declared.retention ?? '')
    if (!own.length || years === undefined) continue
    await tx.execute(sql`
      insert into personal_data_hold (owner_id, request_id, table_name, row_ids, until_date)
      select ${person.ownerId}::bigint, ${requestId}::bigint, ${table.name}::text, array_agg(k.id order by k.id),
        make_date(least(9999, k.year + ${years}::int), 12, 31)
      from (
        select t.id, extract(year from t.create_time at time zone 'Asia/Shanghai')::int as year
        from ${sql.table(table.name)} t
        where t.owner_id = ${person.ownerId} and ${anyOf(own)}
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

/** The names and the texts in these rows: nothing of the person is left then. */
async function releaseRows(
  tx: Tx,
  ownerId: Id,
  table: DeclaredTable,
  rowIds: readonly string[],
): Promise<number> {
  const assignments = Object.entries(table.declared.columns).flatMap(([name, role]) => {
    const stored = table.stored.columns.get(name)
    const released = role === 'keptName' ? 'name' : role === 'text' ? 'note' : undefined
    const value = stored && released && ownValue(name, released, stored, [], ownerId)
    return value ? [sql`${sql.id(name)} = ${value}`] : []
  })
  if (!assignments.length) return 0
  return tx.execute(sql`
    update ${sql.table(table.name)} t
    set ${sql.join(assignments)}
    where t.owner_id = ${ownerId} and t.id = any(${[...rowIds]}::bigint[])
  `)
}

/** What was logged of these rows while the law kept them. */
async function releaseHistory(
  tx: Tx,
  ownerId: Id,
  name: string,
  rowIds: readonly string[],
  logs: readonly DeclaredTable[],
): Promise<void> {
  const entity = companyDeclarations().entities.find(each => each.table === name)
  for (const { name: log, declared, stored } of entity ? logs : []) {
    const [entityColumn, idColumn] = defined(declared.history)
    const assignments = Object.entries(declared.columns).flatMap(([column, role]) => {
      const storedColumn = stored.columns.get(column)
      const value =
        role === 'note' && storedColumn ? ownValue(column, role, storedColumn, [], ownerId) : undefined
      return value ? [sql`${sql.id(column)} = ${value}`] : []
    })
    await tx.execute(sql`
      update ${sql.table(log)} t
      set ${sql.join(assignments)}
      where t.owner_id = ${ownerId}
        and t.${sql.id(entityColumn)} = ${defined(entity).name}
        and t.${sql.id(idColumn)} = any(${[...rowIds]}::bigint[])
    `)
  }
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
    const logs = [...tables.values()].filter(table => table.rowHistory)
    let count = 0
    for (const hold of due) {
      const table = tables.get(hold.tableName)
      if (!table) continue
      count += await releaseRows(tx, ownerId, table, hold.rowIds)
      await releaseHistory(tx, ownerId, table.name, hold.rowIds, logs)
    }
    await tx.execute(sql`
      update personal_data_hold
      set release_time = ${time}::timestamptz
      where owner_id = ${ownerId} and id = any(${due.map(hold => hold.id)}::bigint[])
    `)
    await audit(tx, systemScope(ownerId, time), [
      { action: 'purge', entity: 'erasureRequest', entityId: 0, reason: `依法保留期满，清除 ${count} 行` },
    ])
    return count
  })
}
