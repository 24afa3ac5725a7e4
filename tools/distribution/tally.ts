import type pg from 'pg'
import { placementOf, type Tally, type TableShape } from './plan.ts'

/** The tables of the schema, partitioned ones as one; without what the engine brought along. */
export async function listTableShapes(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name,
      exists (
        select
        from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'owner_id' and not a.attisdropped
      ) as "hasOwner"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and not exists (
        select
        from pg_depend d
        where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e'
      )
    order by 1
  `)
  return rows
}

export const listDistributed = async (client: pg.ClientBase): Promise<string[]> =>
  (await listTableShapes(client))
    .filter(table => placementOf(table) === 'distributed')
    .map(table => table.name)

/**
 * Rows and sums of every numeric column (money among them) by company, of one company or of all. Runs as a
 * superuser: no policy hides a row.
 */
export async function countTable(client: pg.ClientBase, table: string, company?: number): Promise<Tally[]> {
  const { rows: columns } = await client.query<{ name: string }>(
    `
      select a.attname as name
      from pg_attribute a
      where a.attrelid = format('public.%I', $1::text)::regclass
        and a.attnum > 0
        and not a.attisdropped
        and a.atttypid = 'numeric'::regtype
      order by 1
    `,
    [table],
  )
  const sums = columns.map(({ name }) => `, sum("${name}")::text as "${name}"`).join('')
  const { rows } = await client.query<Record<string, string> & { owner_id: string; rows: string }>(
    `
      select owner_id::text, count(*)::text as rows${sums}
      from public."${table}"
      ${company === undefined ? '' : `where owner_id = ${company}`}
      group by owner_id
    `,
  )
  return rows.map(({ owner_id: ownerId, rows: count, ...values }) => ({
    table,
    ownerId,
    rows: count,
    sums: Object.fromEntries(Object.entries(values).map(([name, sum]) => [name, sum ?? '0'])),
  }))
}

export async function countAll(client: pg.ClientBase, company?: number): Promise<Tally[]> {
  const tallies: Tally[] = []
  for (const table of await listDistributed(client)) {
    tallies.push(...(await countTable(client, table, company)))
  }
  return tallies
}
