import { errorMessage } from '#kit/server/database-error.ts'
import pg from 'pg'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import type { ClusterState } from './cluster-check.ts'
import { anchorTable, compareTallies, placementOf, referenceTables, type Tally } from './plan.ts'
import { countAll, listTableShapes } from './tally.ts'

export interface SpreadSummary {
  readonly tables: number
  readonly moved: number
  readonly companies: number
  readonly rows: number
  readonly seconds: number
}

const quote = pg.escapeIdentifier

/**
 * What a run leaves for the next one, should it be cut off: the constraints and views that were taken away,
 * and what was counted before the first table moved. In a schema of its own, gone when all is done.
 */
const WORK = 'distribution_work'

/** Distributes what is not yet distributed; may run any number of times, also after it was cut off. */
export async function spreadCompanies(
  client: pg.Client,
  cluster: ClusterState,
  report: (line: string) => void,
): Promise<SpreadSummary> {
  const started = Date.now()
  const shapes = await listTableShapes(client)
  const unknown = shapes.filter(table => !placementOf(table)).map(table => table.name)
  if (unknown.length)
    throw new StartupError(
      `不知道表 ${unknown.join('、')} 该放在哪里：它们没有 owner_id。请写进 tools/distribution/plan.ts 的名单。`,
    )
  const placed = await listPlaced(client)
  const references = referenceTables.filter(name => !placed.has(name))
  const distributed = shapes.filter(table => placementOf(table) === 'distributed').map(table => table.name)
  const waiting = [anchorTable, ...distributed.filter(name => name !== anchorTable)].filter(
    name => !placed.has(name),
  )
  const isResumed = await hasWork(client)
  if (waiting.length || references.length || isResumed) {
    if (isResumed) {
      report('上次分布没有做完，从断开的地方继续。')
    } else {
      await takeAway(client)
    }
    await client.query(`set citus.multi_shard_modify_mode = 'sequential'`)
    for (const name of references) {
      await client.query('select create_reference_table($1)', [name])
    }
    for (const [i, name] of waiting.entries()) {
      await distributeTable(client, name)
      report(`[${i + 1}/${waiting.length}] ${name}`)
    }
    await putBack(client, cluster.appRole)
  }
  const after = await countAll(client)
  if (await hasWork(client)) {
    await verify(client, after)
    // All of them, not this run's alone: the run before may have been cut off after it placed them.
    await dropLocalCopies(client, [...referenceTables, ...distributed])
    await client.query(`drop schema ${WORK} cascade`)
  }
  return {
    tables: distributed.length,
    moved: waiting.length,
    companies: new Set(after.map(tally => tally.ownerId)).size,
    rows: after.reduce((sum, tally) => sum + Number(tally.rows), 0),
    seconds: (Date.now() - started) / 1000,
  }
}

const listPlaced = async (client: pg.Client): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ name: string }>(
    `
      select c.relname as name
      from pg_dist_partition p
      join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = 'public'::regnamespace
    `,
  )
  return new Set(rows.map(row => row.name))
}

const hasWork = async (client: pg.Client): Promise<boolean> =>
  (await client.query(`select to_regnamespace($1) is not null as found`, [WORK])).rows[0].found

/**
 * Foreign keys go in circles, and views stand on what moves: both come back at the end. In one transaction
 * with the count of all rows, so that there is either all of this or nothing.
 */
async function takeAway(client: pg.Client): Promise<void> {
  await client.query('begin')
  try {
    // Created here and not on the workers: it is the tool's own.
    await client.query(
      `set local citus.enable_metadata_sync = off; set local citus.enable_ddl_propagation = off`,
    )
    await client.query(`create schema ${WORK}`)
    await client.query(`
      create table ${WORK}.removed (kind text not null, on_table text not null, name text not null, definition text not null)
    `)
    await client.query(`create table ${WORK}.tally (counted jsonb not null)`)
    await client.query(`
      insert into ${WORK}.removed
      select 'key', c.relname, k.conname, pg_get_constraintdef(k.oid)
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
      union all
      select 'view', v.viewname, v.viewname, pg_get_viewdef(format('public.%I', v.viewname)::regclass)
      from pg_views v
      where v.schemaname = 'public'
        and not exists (
          select
          from pg_depend d
          where d.objid = format('public.%I', v.viewname)::regclass
            and d.classid = 'pg_class'::regclass
            and d.deptype = 'e'
        )
    `)
    await client.query(`insert into ${WORK}.tally select $1::jsonb`, [JSON.stringify(await countAll(client))])
    const { rows } = await client.query<{ kind: string; table: string; name: string }>(
      `select kind, on_table as table, name from ${WORK}.removed order by kind desc`,
    )
    for (const { kind, table, name } of rows) {
      await client.query(
        kind === 'view'
          ? `drop view public.${quote(name)}`
          : `alter table public.${quote(table)} drop constraint ${quote(name)}`,
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function distributeTable(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(
      name === anchorTable
        ? `select create_distributed_table($1, 'owner_id')`
        : `select create_distributed_table($1, 'owner_id', colocate_with => '${anchorTable}')`,
      [name],
    )
  } catch (error) {
    throw new StartupError(
      `表 ${name} 没有分布成功：${errorMessage(error)}。已经分布的表不受影响；改正以后再执行一次会继续。`,
    )
  }
}

async function putBack(client: pg.Client, appRole: string): Promise<void> {
  const { rows } = await client.query<{ kind: string; table: string; name: string; definition: string }>(
    `select kind, on_table as table, name, definition from ${WORK}.removed order by kind, on_table, name`,
  )
  for (const { kind, table, name, definition } of rows) {
    if (kind === 'view') {
      await client.query(
        `create or replace view public.${quote(name)} with (security_invoker = true) as ${definition}`,
      )
      await client.query(`alter view public.${quote(name)} owner to ${quote(appRole)}`)
      continue
    }
    const { rows: existingRows } = await client.query(
      `select from pg_constraint where conrelid = format('public.%I', $1::text)::regclass and conname = $2`,
      [table, name],
    )
    if (!existingRows.length) {
      await client.query(`alter table public.${quote(table)} add constraint ${quote(name)} ${definition}`)
    }
  }
}

async function verify(client: pg.Client, after: readonly Tally[]): Promise<void> {
  const { rows } = await client.query<{ counted: Tally[] }>(`select counted from ${WORK}.tally`)
  const differences = compareTallies(rows[0]?.counted ?? [], after)
  if (differences.length)
    throw new StartupError(
      `分布前后的行数或金额不一致，请不要启动服务，从备份恢复：\n${differences.slice(0, 20).join('\n')}`,
    )
}

/** The rows that the coordinator still holds beside the nodes' take space and nothing else. */
async function dropLocalCopies(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    await client.query('select truncate_local_data_after_distributing_table($1)', [name])
  }
}
