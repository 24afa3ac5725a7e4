import pg from 'pg'

const parts: Readonly<Record<string, string>> = {
  columns: `
    select c.relname || '.' || a.attname as name,
      format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end || ' ' ||
        coalesce(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attgenerated::text || a.attidentity::text as definition
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p', 'v', 'm')
      and not c.relispartition
      and a.attnum > 0
      and not a.attisdropped
  `,
  indexes: `
    select c.relname || ' ' || i.relname as name,
      pg_get_indexdef(x.indexrelid) || case when x.indisvalid then '' else ' not valid' end as definition
    from pg_index x
    join pg_class c on c.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition
  `,
  constraints: `
    select c.relname || ' ' || k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    where k.connamespace = 'public'::regnamespace and not c.relispartition
  `,
  policies: `
    select tablename || ' ' || policyname as name, concat_ws(' / ', cmd, roles::text, qual, with_check) as definition
    from pg_policies
    where schemaname = 'public'
  `,
  functions: `
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  `,
  views: `select viewname as name, definition from pg_views where schemaname = 'public'`,
  sequences: `
    select sequencename as name, concat_ws(' ', data_type, increment_by, cycle) as definition
    from pg_sequences
    where schemaname = 'public'
  `,
}

/** What a database's schema consists of, part by part; partitions left out: they follow the months in use. */
export async function readSchema(url: string): Promise<Readonly<Record<string, Record<string, string>>>> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const schema: Record<string, Record<string, string>> = {}
    for (const [part, statement] of Object.entries(parts)) {
      const { rows } = await client.query<{ name: string; definition: string }>(`${statement} order by 1`)
      schema[part] = Object.fromEntries(rows.map(row => [row.name, row.definition]))
    }
    return schema
  } finally {
    await client.end()
  }
}
