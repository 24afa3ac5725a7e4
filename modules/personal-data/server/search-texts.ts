import { buildSearchText } from '#kit/domain/search-text.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { DeclaredTable } from './table-statements.ts'

type Sql = RawBuilder<unknown>

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
