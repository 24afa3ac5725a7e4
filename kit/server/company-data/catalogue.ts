import type pg from 'pg'

export interface StoredColumn {
  readonly name: string
  readonly type: string
  /** Must be given a value: not null, and the database has none for it. */
  readonly isRequired: boolean
}

/** A table with the rows of companies, as the database has it; generated columns left out. */
export interface StoredTable {
  readonly name: string
  readonly columns: readonly StoredColumn[]
  /** The tables that its foreign keys name, itself left out. */
  readonly references: readonly string[]
  readonly key: readonly string[]
}

/** Every table with an owner, partitions in their parent, sorted by name. */
export async function readCompanyTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select c.relname as name,
      (
        select json_agg(
          json_build_object(
            'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
            'isRequired', a.attnotnull and not a.atthasdef and a.attidentity = ''
          )
          order by a.attnum
        )
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns,
      array(
        select distinct f.relname::text
        from pg_constraint k
        join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as references,
      array(
        select a.attname::text
        from pg_index x
        cross join lateral unnest(x.indkey) with ordinality as k (attnum, nth)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where x.indrelid = c.oid and x.indisprimary
        order by k.nth
      ) as key
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and exists (
        select 1
        from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'owner_id' and not a.attisdropped
      )
    order by c.relname
  `)
  return rows
}

/** The tables so that each follows those that its foreign keys name. */
export function inLoadOrder<T extends { readonly name: string; readonly references: readonly string[] }>(
  tables: readonly T[],
): T[] {
  const ordered: T[] = []
  const done = new Set<string>()
  const known = new Set(tables.map(table => table.name))
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      table => !done.has(table.name) && table.references.every(name => done.has(name) || !known.has(name)),
    )
    if (!ready.length) throw new Error('the foreign keys of the company tables form a circle')
    for (const table of ready) {
      ordered.push(table)
      done.add(table.name)
    }
  }
  return ordered
}
