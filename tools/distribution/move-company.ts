import type pg from 'pg'
import { errorMessage } from '#kit/server/database-error.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { countServerConnections } from './cluster-check.ts'
import { anchorTable, compareTallies, formatNode, type NodeAddress } from './plan.ts'
import { countAll } from './tally.ts'

export interface MoveSummary {
  readonly from: NodeAddress
  readonly isMoved: boolean
  readonly rows: number
  readonly seconds: number
  /** what was written while it moved; empty when nobody wrote */
  readonly differences: readonly string[]
}

interface Placement extends NodeAddress {
  readonly shard: string
}

async function findPlacement(client: pg.Client, company: number): Promise<Placement> {
  const { rows } = await client.query<Placement>(
    `
      select s.shardid::text as shard, n.nodename as host, n.nodeport as port
      from pg_dist_placement s
      join pg_dist_node n using (groupid)
      where s.shardid = get_shard_id_for_distribution_column($1, $2::bigint) and n.noderole = 'primary'
    `,
    [anchorTable, company],
  )
  if (!rows[0]) throw new StartupError('该数据库暂无分布。请先执行 npm run distribute。')
  return rows[0]
}

/** Whether other companies share the shard: then this one is given a shard of its own first. */
async function isShared(client: pg.Client, company: number, shard: string): Promise<boolean> {
  const { rows } = await client.query(
    `
      select
      from directory
      where kind = 'company'
        and owner_id <> $1
        and get_shard_id_for_distribution_column($2, owner_id) = $3::bigint
      limit 1
    `,
    [company, anchorTable, shard],
  )
  return rows.length > 0
}

async function movePlacement(
  client: pg.Client,
  { shard, host, port }: Placement,
  to: NodeAddress,
  mode: string,
): Promise<void> {
  try {
    await client.query(`select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, $6)`, [
      shard,
      host,
      port,
      to.host,
      to.port,
      mode,
    ])
  } catch (error) {
    if (errorMessage(error).includes('orphaned'))
      throw new StartupError('上一次搬家的旧数据暂无清理完，没有开始搬；请过几分钟再执行一次。', {
        cause: error,
      })
    throw error
  }
}

/**
 * Moves all of a company to another node; others stay. Others go on working; the company itself may too,
 * unless `blockWrites`.
 */
export async function moveCompany(
  client: pg.Client,
  company: number,
  to: NodeAddress,
  { blockWrites, appRole }: { blockWrites: boolean; appRole: string },
): Promise<MoveSummary> {
  const started = Date.now()
  const { rows: known } = await client.query(
    `select from directory where kind = 'company' and owner_id = $1`,
    [company],
  )
  if (!known.length) throw new StartupError(`没有编号为 ${company} 的公司。`)
  const { rows: nodes } = await client.query(
    `select from pg_dist_node where nodename = $1 and nodeport = $2 and isactive and shouldhaveshards`,
    [to.host, to.port],
  )
  if (!nodes.length)
    throw new StartupError(
      `节点 ${formatNode(to)} 不在集群里。请先执行 npm run distribute -- --add-worker ${formatNode(to)}。`,
    )
  const isQuiet = async () => (await countServerConnections(client, { appRole })) === 0
  const wasQuiet = await isQuiet()
  const before = await countAll(client, company)
  const rows = before.reduce((sum, tally) => sum + Number(tally.rows), 0)
  let placement = await findPlacement(client, company)
  const from = { host: placement.host, port: placement.port }
  const seconds = () => (Date.now() - started) / 1000
  if (formatNode(from) === formatNode(to))
    return { from, isMoved: false, rows, seconds: seconds(), differences: [] }
  // A worker that was added later has no catalogue yet; only a move that lets writes go on would bring it.
  await client.query(`select replicate_reference_tables('block_writes')`)
  const mode = blockWrites ? 'block_writes' : 'auto'
  if (await isShared(client, company, placement.shard)) {
    await client.query(
      `select isolate_tenant_to_new_shard($1::regclass, $2::bigint, 'CASCADE', shard_transfer_mode => $3)`,
      [anchorTable, company, mode],
    )
    placement = await findPlacement(client, company)
  }
  // What an earlier move left on a node is dropped in the background, and stands in the way until it is.
  await client.query(`call citus_cleanup_orphaned_resources()`)
  await movePlacement(client, placement, to, mode)
  const now = await findPlacement(client, company)
  if (formatNode(now) !== formatNode(to))
    throw new StartupError(`公司 ${company} 仍在 ${formatNode(now)}，没有搬到 ${formatNode(to)}。`)
  const differences = compareTallies(before, await countAll(client, company))
  // Writes wait while the rows are copied, not while they are counted: only of a quiet company the numbers
  // must be the same.
  if (differences.length && wasQuiet && (await isQuiet()))
    throw new StartupError(`搬家前后不一致：\n${differences.slice(0, 20).join('\n')}`)
  return { from, isMoved: true, rows, seconds: seconds(), differences }
}

export interface CompanyPlace {
  readonly company: string
  readonly name: string
  readonly node: string
}

/** Which company is on which node. */
export async function listCompanyPlaces(client: pg.Client): Promise<CompanyPlace[]> {
  const { rows } = await client.query<CompanyPlace>(
    `
      select d.owner_id::text as company, d.key as name, n.nodename || ':' || n.nodeport as node
      from directory d
      join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column($1, d.owner_id)
      join pg_dist_node n on n.groupid = s.groupid and n.noderole = 'primary'
      where d.kind = 'company'
      order by d.owner_id
    `,
    [anchorTable],
  )
  return rows
}
