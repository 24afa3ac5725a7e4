import type { Day } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { givenColumns } from './given-columns.ts'
import { ruleOf } from './held.ts'
import { labelsOf } from './labels.ts'

export interface HeldRecord {
  readonly label: string
  readonly number: string
  readonly content: string
  readonly reason: string
  readonly keptUntil: Day
  readonly keptName?: string
  readonly isReleased: boolean
}

interface KeptRow {
  readonly id: number
  readonly columns: Readonly<Record<string, string>>
}

interface Hold {
  readonly tableName: string
  readonly rowIds: readonly string[]
  readonly untilDate: Day
  readonly releaseTime?: string
  readonly kept?: readonly KeptRow[]
}

const shownRows = 500

/** The vouchers that the law keeps of somebody who was erased, each with its reason and its time. */
export async function listHeldRecords(db: Db, ownerId: Id, requestId: Id): Promise<HeldRecord[]> {
  const marks = await db.rows<Hold>(sql`
    select table_name, row_ids, until_date, release_time, kept
    from personal_data_hold
    where owner_id = ${ownerId} and request_id = ${requestId}
    order by table_name, until_date
  `)
  const tables = new Map((await readDeclaredTables(db)).map(table => [table.name, table]))
  const labels = labelsOf([...tables.values()])
  const records: HeldRecord[] = []
  for (const hold of marks) {
    const table = tables.get(hold.tableName)
    if (!table) continue
    const keptNames = new Map(
      hold.kept?.map(row => [String(row.id), [...new Set(Object.values(row.columns))].join('、')]),
    )
    const columns = givenColumns(table, labels.get(table.name), ownerId)
    const rows = await db.rows<{ cells: readonly (string | null)[] }>(sql`
      select array[${sql.join([sql`t.id::text`, ...columns.map(each => sql`(${each.value})::text`)])}] as cells
      from ${sql.table(table.name)} t
      where t.owner_id = ${ownerId} and t.id = any(${[...hold.rowIds]}::bigint[])
      order by t.id
      limit ${shownRows}
    `)
    records.push(
      ...rows.map(({ cells: [id, first, ...rest] }) => ({
        label: labels.get(table.name)?.label ?? table.declared.purpose,
        number: first ?? id ?? '',
        content: rest
          .flatMap((cell, i) => (cell ? [`${columns[i + 1]?.heading ?? ''} ${cell}`] : []))
          .slice(0, 4)
          .join('，'),
        reason: ruleOf(table)?.basis ?? '',
        keptUntil: hold.untilDate,
        ...(keptNames.get(id ?? '') ? { keptName: keptNames.get(id ?? '') } : {}),
        isReleased: hold.releaseTime !== undefined,
      })),
    )
  }
  return records
}
