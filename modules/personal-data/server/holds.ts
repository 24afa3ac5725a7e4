import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { erasedName } from '../domain/identifiers.ts'
import { readDeclaredTables } from './declared-tables.ts'
import type { Person } from './person.ts'
import { reportCondition, type ReportLine } from './report.ts'
import type { DeclaredTable } from './table-statements.ts'

/** Marks what the law keeps of somebody who is erased: which rows of which table, until when. */
export async function holdRows(
  tx: Tx,
  person: Person,
  requestId: Id,
  lines: readonly ReportLine[],
  tables: readonly DeclaredTable[],
): Promise<void> {
  for (const { tableName, keptUntil } of lines) {
    const table = tables.find(each => each.name === tableName)
    const condition = table && reportCondition(table, person)
    if (keptUntil === undefined || !condition) continue
    await tx.execute(sql`
      insert into personal_data_hold (owner_id, request_id, table_name, row_ids, until_date)
      select ${person.ownerId}::bigint, ${requestId}::bigint, ${tableName}::text, array_agg(t.id),
        ${keptUntil}::date
      from ${sql.table(tableName)} t
      where t.owner_id = ${person.ownerId} and ${condition}
      having count(*) > 0
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

/** The names in these rows: nothing of the person is left then. */
async function releaseRows(
  tx: Tx,
  ownerId: Id,
  table: DeclaredTable,
  rowIds: readonly string[],
): Promise<number> {
  const names = Object.entries(table.declared.columns).flatMap(([name, role]) =>
    role === 'keptName' && table.stored.columns.has(name) ? [name] : [],
  )
  if (!names.length) return 0
  return tx.execute(sql`
    update ${sql.table(table.name)} t
    set ${sql.join(names.map(name => sql`${sql.id(name)} = ${erasedName}`))}
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
      count += table ? await releaseRows(tx, ownerId, table, hold.rowIds) : 0
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
