import { errorMessage } from '#kit/server/database-error.ts'
import pg from 'pg'
import { defined } from '#kit/domain/defined.ts'
import { appliedMigrations, MIGRATIONS, readMigrations } from '#kit/server/postgres/migrate.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { formatNode, isAtLeastVersion, type NodeAddress } from './plan.ts'

const leastCitus = '12.1'
const timezone = 'Asia/Shanghai'

export interface ClusterState {
  readonly serverVersion: string
  readonly citusVersion: string
  /** owns the tables: what the product signs in with */
  readonly appRole: string
  readonly database: string
  readonly workers: readonly NodeAddress[]
  readonly warnings: readonly string[]
}

/** A superuser's connection to the coordinator; explains why there is none. */
export async function connectCoordinator(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'distribute' })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(
      `连接不上协调节点：${errorMessage(error)}。请检查 --admin（或 DISTRIBUTE_URL）里的地址、数据库名与密码。`,
    )
  }
  return client
}

// Any number, the same for every program that distributes this database.
const TURN_LOCK = 7_246_011_520_613

/**
 * One run at a time changes the places of tables and companies; held until the connection ends. A run that
 * was killed holds it until the server has ended its last statement: a resumed run waits for that instead of
 * meeting it half-way.
 */
export async function takeTurn(client: pg.Client, report: (line: string) => void): Promise<void> {
  const { free } = await readOne<{ free: boolean }>(client, 'select pg_try_advisory_lock($1) as free', [
    TURN_LOCK,
  ])
  if (free) return
  report('另一次分布或搬家正在进行（或刚被中断，最后一步尚未结束），等它结束再继续。')
  await client.query('select pg_advisory_lock($1)', [TURN_LOCK])
}

const readOne = async <T extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<T> => defined((await client.query<T>(text, values)).rows[0])

/** Versions, roles, workers and settings; throws with all that must be mended first. */
export async function checkCluster(client: pg.Client): Promise<ClusterState> {
  const about = await readOne<{ server: string; superuser: boolean; citus: string | null; database: string }>(
    client,
    `
      select current_setting('server_version') as server, current_database() as database,
        (select rolsuper from pg_roles where rolname = current_user) as superuser,
        (select extversion from pg_extension where extname = 'citus') as citus
    `,
  )
  if (!about.citus)
    throw new StartupError(
      `数据库 ${about.database} 没有 citus 扩展。请在协调节点和每个工作节点的该数据库中以超级用户执行 create extension citus，再用 citus_add_node 登记工作节点。`,
    )
  if (!about.superuser)
    throw new StartupError(
      '分布数据要用超级用户连接（行级安全不能挡在搬数据的中间）。请用 --admin 给出超级用户的地址；平时服务仍用普通角色。',
    )
  const citusVersion = (await readOne<{ version: string }>(client, 'select citus_version() as version'))
    .version
  const version = /Citus ([\d.]+)/.exec(citusVersion)?.[1] ?? about.citus
  const problems: string[] = []
  if (!isAtLeastVersion(version, leastCitus)) {
    problems.push(`Citus ${version} 太旧，需要 ${leastCitus} 以上。`)
  }
  const appRole = await checkTables(client, problems)
  const workers = await checkWorkers(client, appRole, problems)
  if (problems.length) throw new StartupError(`集群暂不能用：\n${problems.map(p => `- ${p}`).join('\n')}`)
  return {
    serverVersion: about.server,
    citusVersion: version,
    appRole,
    database: about.database,
    workers,
    warnings: await listWarnings(client, workers),
  }
}

/** The product's schema is there, as new as this program, and owned by an ordinary role. */
async function checkTables(client: pg.Client, problems: string[]): Promise<string> {
  const applied = await appliedMigrations(client)
  const pending = readMigrations(MIGRATIONS).filter(migration => !applied.has(migration.name))
  if (!applied.size) {
    throw new StartupError('该数据库中没有安居的表。请先让服务对它启动一次（或恢复一个备份），再来分布。')
  }
  if (pending.length) {
    problems.push(`还有 ${pending.length} 个迁移没有执行。请先用该版本启动一次服务，再停止它。`)
  }
  const owner = await readOne<{ name: string; powerful: boolean }>(
    client,
    `
      select r.rolname as name, r.rolsuper or r.rolbypassrls as powerful
      from pg_class c
      join pg_roles r on r.oid = c.relowner
      where c.oid = 'public.property'::regclass
    `,
  )
  if (owner.powerful) {
    problems.push(
      `表属于角色 ${owner.name}，它是超级用户或能绕过行级安全。请把表交给一个普通角色，并让服务用它连接。`,
    )
  }
  const triggers = await readOne<{ count: number }>(
    client,
    `
      select count(*)::int as count
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
    `,
  )
  if (triggers.count) {
    problems.push(`数据库中有 ${triggers.count} 个触发器，分布的表不能有触发器。请先去掉它们。`)
  }
  return owner.name
}

async function checkWorkers(
  client: pg.Client,
  appRole: string,
  problems: string[],
): Promise<readonly NodeAddress[]> {
  const { rows: workers } = await client.query<NodeAddress>(
    `
      select nodename as host, nodeport as port
      from pg_dist_node
      where noderole = 'primary' and isactive and groupid <> 0 and shouldhaveshards
      order by nodeid
    `,
  )
  if (!workers.length) {
    problems.push('没有登记工作节点。请先执行 npm run distribute -- --add-worker 主机:端口。')
    return workers
  }
  const { rows: sick } = await client.query<{ way: string }>(
    `
      select distinct from_nodename || ':' || from_nodeport || ' → ' || to_nodename || ':' || to_nodeport as way
      from citus_check_cluster_node_health()
      where not coalesce(result, false)
    `,
  )
  if (sick.length) {
    problems.push(
      `节点之间连不通：${sick.map(row => row.way).join('、')}。请检查防火墙、pg_hba.conf 与 .pgpass。`,
    )
    return workers
  }
  const { rows: roles } = await client.query<{ node: string; ok: boolean; answer: string }>(
    `
      select nodename || ':' || nodeport as node, success as ok, result as answer
      from run_command_on_workers(format('select count(*) from pg_roles where rolname = %L', $1::text))
    `,
    [appRole],
  )
  const missing = roles.filter(row => !row.ok || row.answer !== '1')
  if (missing.length) {
    problems.push(
      `节点 ${missing.map(row => row.node).join('、')} 上没有角色 ${appRole}。请在那里建立同名角色并允许协调节点用它登录。`,
    )
  }
  return workers
}

/** What works, but worse. */
async function listWarnings(client: pg.Client, workers: readonly NodeAddress[]): Promise<string[]> {
  const warnings: string[] = []
  const { rows } = await client.query<{ node: string; wal: string; prepared: string }>(
    `
      select w.nodename || ':' || w.nodeport as node, w.result as wal, p.result as prepared
      from run_command_on_workers('show wal_level') w
      join run_command_on_workers('show max_prepared_transactions') p using (nodename, nodeport)
    `,
  )
  const notLogical = rows.filter(row => row.wal !== 'logical').map(row => row.node)
  if (notLogical.length) {
    warnings.push(
      `节点 ${notLogical.join('、')} 的 wal_level 不是 logical：搬公司时那家公司要停写（--block-writes），不能在线搬。`,
    )
  }
  const unprepared = rows.filter(row => Number(row.prepared) < 1).map(row => row.node)
  if (unprepared.length) {
    warnings.push(`节点 ${unprepared.join('、')} 的 max_prepared_transactions 是 0：跨节点的维护语句会失败。`)
  }
  if (workers.length === 1) {
    warnings.push('只有一个工作节点：可以先分布，之后用 --add-worker 增加。')
  }
  return warnings
}

/**
 * Settings of the product's role that a cluster needs. `set local` reaches the workers only when the role
 * says so: without it row-level security there shows no rows and no error. The workers do not learn the
 * session's time zone: a day would end at another hour there. Compiling a report costs the nodes more than
 * twelve seconds where running it costs a fifth of one.
 */
export async function settleRole(client: pg.Client, { appRole, database }: ClusterState): Promise<string[]> {
  const wanted = [
    ['citus.propagate_set_commands', 'local'],
    ['timezone', timezone],
    ['jit', 'off'],
  ] as const
  const done: string[] = []
  for (const [name, value] of wanted) {
    const setting = await readOne<{ set: boolean }>(
      client,
      `
        select exists (
          select
          from pg_db_role_setting s
          join pg_database d on d.oid = s.setdatabase
          join pg_roles r on r.oid = s.setrole
          where d.datname = $1 and r.rolname = $2 and lower($3) = any(lower(s.setconfig::text)::text[])
        ) as set
      `,
      [database, appRole, `${name}=${value}`],
    )
    const command = `alter role ${pg.escapeIdentifier(appRole)} in database ${pg.escapeIdentifier(database)} set ${name} = '${value}'`
    if (!setting.set) {
      await client.query(command)
      done.push(`${name} = ${value}`)
    }
    await runOnWorkers(client, command)
  }
  return done
}

/**
 * One worker after the other: each hands a role's setting on to the others, and two at once would deadlock.
 */
async function runOnWorkers(client: pg.Client, command: string): Promise<void> {
  const { rows } = await client.query<{ name: string; ok: boolean; answer: string }>(
    `
      select nodename || ':' || nodeport as name, success as ok, result as answer
      from run_command_on_workers($1, parallel => false)
    `,
    [command],
  )
  const failed = rows.find(row => !row.ok)
  if (failed) throw new StartupError(`节点 ${failed.name} 没有执行 ${command}：${failed.answer}`)
}

/** Connections of the product's role: its servers. */
export async function countServerConnections(
  client: pg.Client,
  { appRole }: Pick<ClusterState, 'appRole'>,
): Promise<number> {
  const { count } = await readOne<{ count: number }>(
    client,
    `
      select count(*)::int as count
      from pg_stat_activity
      where datname = current_database() and usename = $1 and pid <> pg_backend_pid()
        and application_name not like 'citus%'
    `,
    [appRole],
  )
  return count
}

/** Nobody may write while tables change their place. */
export async function requireNoServer(client: pg.Client, cluster: ClusterState): Promise<void> {
  const count = await countServerConnections(client, cluster)
  if (count) throw new StartupError(`还有 ${count} 个连接在用该数据库。请先停止所有安居服务，分布完再启动。`)
}

export async function addWorker(client: pg.Client, node: NodeAddress): Promise<void> {
  try {
    await client.query('select citus_add_node($1, $2)', [node.host, node.port])
  } catch (error) {
    throw new StartupError(
      `工作节点 ${formatNode(node)} 加不进来：${errorMessage(error)}。请确认它在运行、同名数据库中有 citus 扩展、协调节点能以超级用户连上它。`,
    )
  }
}
