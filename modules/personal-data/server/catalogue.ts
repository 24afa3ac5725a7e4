import { sql, type Db } from '#kit/server/db.ts'

export interface StoredColumn {
  readonly type: string
  readonly isRequired: boolean
}

export interface StoredTable {
  readonly columns: ReadonlyMap<string, StoredColumn>
  /** The columns of its primary key, without the company. */
  readonly key: readonly string[]
}

interface CatalogueRow {
  readonly tableName: string
  readonly columnName: string
  readonly type: string
  readonly isRequired: boolean
  readonly keyPlace?: number
}

export type Catalogue = ReadonlyMap<string, StoredTable>

/** The tables of companies as the database has them: what may be emptied, and what names a row. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  const rows = await db.rows<CatalogueRow>(sql`
    select c.relname::text as table_name, a.attname::text as column_name,
      format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
      array_position(x.indkey::smallint[], a.attnum)::integer as key_place
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_index x on x.indrelid = c.oid and x.indisprimary
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.relname, a.attnum
  `)
  return new Map(
    [...Map.groupBy(rows, row => row.tableName)].map(([name, columns]) => [
      name,
      {
        columns: new Map(
          columns.map(({ columnName, type, isRequired }) => [columnName, { type, isRequired }]),
        ),
        key: columns
          .filter(({ keyPlace, columnName }) => keyPlace !== undefined && columnName !== 'owner_id')
          .toSorted((a, b) => (a.keyPlace ?? 0) - (b.keyPlace ?? 0))
          .map(({ columnName }) => columnName),
      },
    ]),
  )
}
