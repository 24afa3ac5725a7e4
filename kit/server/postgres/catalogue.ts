import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import { companyScopeSql } from '../company-scope.ts'

/** Schemas whose content is not the product's: PostgreSQL's own and the job queue, which refills itself. */
const OUR_SCHEMAS = `n.nspname not in ('pg_catalog', 'information_schema', 'pgboss') and n.nspname !~ '^pg_'`

const OUR_TABLES = `from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OUR_SCHEMAS} and c.relkind in ('r', 'p') and c.relpersistence <> 't'
    and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')`

/** Written by migrate(), never by data. */
const MIGRATION_TABLE = 'public.schema_migration'

export interface Table {
  /** quoted and with its schema, ready for SQL */
  name: string
  /** quoted; without generated columns */
  columns: string[]
}

export interface Partition {
  name: string
  parent: string
  bound: string
  /** of a partition that is partitioned itself */
  key: string | null
}

export interface Sequence {
  name: string
  /** null: never used */
  last: string | null
}

/** A string per column, so that catalogue rows need no quoting. */
const QUOTED_NAME = `quote_ident(n.nspname) || '.' || quote_ident(c.relname)`

/** The tables that hold data, partitioned ones as one. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `
      select ${QUOTED_NAME} as name,
        array(
          select quote_ident(a.attname)
          from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          order by a.attnum
        ) as columns ${OUR_TABLES}
          and not c.relispartition
          and ${QUOTED_NAME} <> $1
      order by 1
    `,
    [MIGRATION_TABLE],
  )
  return rows
}

/**
 * Partitions, parents before their children: those of coming months are made by the running product, not by
 * migrations.
 */
export async function listPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `
      select ${QUOTED_NAME} as name, i.inhparent::regclass::text as parent,
        pg_get_expr(c.relpartbound, c.oid) as bound,
        case c.relkind when 'p' then pg_get_partkeydef(c.oid) end as key
      from (select c.* ${OUR_TABLES} and c.relispartition) c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_inherits i on i.inhrelid = c.oid
      order by (select count(*) from pg_partition_ancestors(c.oid)), 1
    `,
  )
  return rows
}

export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `
      select ${QUOTED_NAME} as name, pg_sequence_last_value(c.oid)::text as last
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where ${OUR_SCHEMAS} and c.relkind = 'S'
      order by 1
    `,
  )
  return rows
}

/** Statements that drop what prevents loading rows table by table, and those that restore it. */
export interface LoadBarriers {
  dropStatements: string[]
  restoreStatements: string[]
}

/**
 * Foreign keys (in any order, in circles), triggers, and row-level security that binds the owner too: COPY
 * refuses tables under it. An owner may do all this without being superuser, and in one transaction nobody
 * sees it.
 */
export async function listLoadBarriers(client: pg.ClientBase): Promise<LoadBarriers> {
  const { rows } = await client.query<{ lift: string; raise: string }>(
    `
      select format('alter table %s drop constraint %I', ${QUOTED_NAME}, k.conname) as lift,
        format(
          'alter table %s add constraint %I %s', ${QUOTED_NAME}, k.conname, pg_get_constraintdef(k.oid)
        ) as raise
      from pg_constraint k
      join (select c.* ${OUR_TABLES}) c on c.oid = k.conrelid
      join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0
      union all
      select format('alter table %s disable trigger %I', ${QUOTED_NAME}, t.tgname),
        format('alter table %s enable trigger %I', ${QUOTED_NAME}, t.tgname)
      from pg_trigger t
      join (select c.* ${OUR_TABLES}) c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and t.tgenabled = 'O' and t.tgparentid = 0
      union all
      select format('alter table %s no force row level security', ${QUOTED_NAME}),
        format('alter table %s force row level security', ${QUOTED_NAME}) ${OUR_TABLES}
          and c.relforcerowsecurity
    `,
  )
  return { dropStatements: rows.map(row => row.lift), restoreStatements: rows.map(row => row.raise) }
}

/**
 * Every session that moves whole tables: sees all companies' rows, writes values the same way on any server.
 * On a distributed engine one connection to each node, so that all of a company is of one moment.
 */
export async function prepareFullAccess(client: pg.ClientBase): Promise<void> {
  await client.query(`set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8'; set local search_path = public;
    set local lock_timeout = '15s'; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local citus.max_adaptive_executor_pool_size = 1;
    ${companyScopeSql('*')}`)
}

/**
 * True when some table has a row, whatever the scope shows: policies are lifted until the caller's
 * transaction rolls back.
 */
export async function hasRows(client: pg.ClientBase): Promise<boolean> {
  const tables = (await listTables(client)).map(table => table.name)
  if (await someHasRow(client, tables)) return true
  const { rows } = await client.query<{ lift: string }>(
    `
      select format('alter table %s no force row level security', ${QUOTED_NAME}) as lift ${OUR_TABLES}
        and c.relforcerowsecurity
    `,
  )
  for (const { lift } of rows) {
    await client.query(lift)
  }
  return rows.length > 0 && (await someHasRow(client, tables))
}

async function someHasRow(client: pg.ClientBase, tables: readonly string[]): Promise<boolean> {
  for (const name of tables) {
    const { rows } = await client.query<{ found: boolean }>(`select exists (select from ${name}) as found`)
    if (defined(rows[0]).found) return true
  }
  return false
}
