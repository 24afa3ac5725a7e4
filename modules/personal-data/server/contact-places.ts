import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { personalTables } from '#kit/server/personal-data/registry.ts'
import { column } from './column-values.ts'
import type { RowsToErase } from './erase.ts'
import type { DeclaredTable } from './table-statements.ts'

/** Where a text stood in a row: characters are counted from 1. */
export interface Place {
  readonly tableName: string
  readonly id: string
  readonly createTime: string
  readonly columnName: string
  readonly start: number
  readonly length: number
}

const enough = 20

/** The moment a row was made, to the microsecond. */
export const createTimeOf = sql`extract(epoch from t.create_time)::text`

/** Where one of the texts stands in the rows that an erasure touches. */
export async function findPlaces(
  tx: Tx,
  ownerId: Id,
  tables: readonly DeclaredTable[],
  { own, mentioned }: RowsToErase,
  texts: readonly string[],
): Promise<Place[]> {
  const places: Place[] = []
  for (const { name, declared, stored } of texts.length ? tables : []) {
    const ids = [...(own.get(name) ?? []), ...(mentioned.get(name) ?? [])]
    const columns = Object.keys(declared.columns).filter(each => stored.columns.has(each))
    if (!ids.length || !columns.length || !stored.columns.has('create_time')) continue
    const values = sql.join(columns.map(each => sql`(${each}::text, ${column(each)}::text)`))
    const found = await tx.rows<Omit<Place, 'tableName'>>(sql`
      select t.id::text as id, ${createTimeOf} as create_time, v.name as column_name,
        strpos(v.value, w.word) as start, length(w.word) as length
      from ${sql.table(name)} t
      cross join lateral (values ${values}) v(name, value)
      cross join unnest(${[...texts]}::text[]) w(word)
      where t.owner_id = ${ownerId} and t.id = any(${ids}::bigint[]) and strpos(v.value, w.word) > 0
      order by t.id
      limit ${enough}
    `)
    places.push(...found.map(row => ({ tableName: name, ...row })))
    if (places.length >= enough) break
  }
  return places
}

/** What stands in these places, where the rows are the same. */
export async function readPlaces(db: Db, ownerId: Id, places: readonly Place[]): Promise<string[]> {
  const known = new Map(personalTables())
  const texts: string[] = []
  for (const { tableName, id, createTime: made, columnName, start, length } of places) {
    if (!known.get(tableName)?.columns[columnName]) continue
    const row = await db.one<{ text?: string }>(sql`
      select substr(${column(columnName)}::text, ${start}::int, ${length}::int) as text
      from ${sql.table(tableName)} t
      where t.owner_id = ${ownerId} and t.id = ${id}::bigint and ${createTimeOf} = ${made}
    `)
    texts.push(...(row?.text ? [row.text] : []))
  }
  return [...new Set(texts)]
}
