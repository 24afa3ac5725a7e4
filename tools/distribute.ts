import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { parseArguments, runCommand } from './command-line.ts'
import {
  addWorker,
  checkCluster,
  connectCoordinator,
  requireNoServer,
  settleRole,
  takeTurn,
} from './distribution/cluster-check.ts'
import { listCompanyPlaces, moveCompany } from './distribution/move-company.ts'
import { formatNode, parseCompany, parseNode } from './distribution/plan.ts'
import { spreadCompanies } from './distribution/spread.ts'
import { settings } from '#kit/server/settings.ts'

const USAGE = `npm run distribute -- [--admin 超级用户的数据库地址]       检查集群，把数据按公司分布（可重复执行）
npm run distribute -- --check                             只检查
npm run distribute -- --status                            每家公司在哪个节点
npm run distribute -- --add-worker 主机:端口              增加一个工作节点
npm run distribute -- --move 公司编号 --to 主机:端口 [--block-writes]  把一家公司搬到另一个节点`

await runCommand(async () => {
  const { values, positionals } = parseArguments(
    {
      admin: { type: 'string' },
      check: { type: 'boolean' },
      status: { type: 'boolean' },
      'add-worker': { type: 'string' },
      move: { type: 'string' },
      to: { type: 'string' },
      'block-writes': { type: 'boolean' },
    },
    USAGE,
  )
  const admin = values.admin ?? settings.distributeUrl.read()
  if (!admin || positionals.length)
    throw new StartupError(
      `请用 --admin 或环境变量 DISTRIBUTE_URL 给出协调节点的超级用户地址，例如 postgres://postgres@10.0.0.1:5432/anju。\n用法：\n${USAGE}`,
    )
  if ((values.move === undefined) !== (values.to === undefined))
    throw new StartupError(`--move 与 --to 要一起给出。\n用法：\n${USAGE}`)
  const client = await connectCoordinator(admin)
  try {
    if (!values.check && !values.status) {
      await takeTurn(client, console.log)
    }
    if (values['add-worker'] !== undefined) {
      const node = parseNode(values['add-worker'])
      await addWorker(client, node)
      console.log(
        `已加入工作节点 ${formatNode(node)}。现有公司留在原处；搬一家过去：npm run distribute -- --move 公司编号 --to ${formatNode(node)}`,
      )
    }
    const cluster = await checkCluster(client)
    console.log(
      `PostgreSQL ${cluster.serverVersion}，Citus ${cluster.citusVersion}，工作节点 ${cluster.workers.map(formatNode).join('、')}；服务的角色 ${cluster.appRole}。`,
    )
    for (const warning of cluster.warnings) {
      console.warn(`注意：${warning}`)
    }
    if (values.check || values['add-worker'] !== undefined) {
      await settleRole(client, cluster)
      return
    }
    if (values.status) return await printPlaces(client)
    if (values.move !== undefined && values.to !== undefined) {
      return await printMove(client, parseCompany(values.move), parseNode(values.to), {
        blockWrites: values['block-writes'] ?? false,
        appRole: cluster.appRole,
      })
    }
    await spreadAndReport(client, cluster)
  } finally {
    await client.end()
  }
})

type Client = Awaited<ReturnType<typeof connectCoordinator>>

async function spreadAndReport(
  client: Client,
  cluster: Awaited<ReturnType<typeof checkCluster>>,
): Promise<void> {
  await requireNoServer(client, cluster)
  for (const setting of await settleRole(client, cluster)) {
    console.log(`已为角色 ${cluster.appRole} 设置 ${setting}。`)
  }
  const done = await spreadCompanies(client, cluster, console.log)
  const tables = done.moved ? `已分布 ${done.moved} 张表` : `${done.tables} 张表早已分布`
  console.log(
    `${tables}：${done.companies} 家公司 ${done.rows} 行，用时 ${done.seconds.toFixed(1)} 秒；逐表逐公司的行数与金额合计前后相符。现在可以启动服务。`,
  )
}

async function printPlaces(client: Client): Promise<void> {
  for (const { company, node } of await listCompanyPlaces(client)) {
    console.log(`公司 ${company}：${node}`)
  }
}

async function printMove(
  client: Client,
  company: number,
  to: ReturnType<typeof parseNode>,
  options: { readonly blockWrites: boolean; readonly appRole: string },
): Promise<void> {
  const move = await moveCompany(client, company, to, options)
  if (!move.isMoved) {
    console.log(`公司 ${company} 已经在 ${formatNode(to)}，没有改动。`)
    return
  }
  console.log(
    `公司 ${company} 的 ${move.rows} 行已从 ${formatNode(move.from)} 搬到 ${formatNode(to)}，用时 ${move.seconds.toFixed(1)} 秒。`,
  )
  console.log(
    move.differences.length
      ? `搬的时候有人在用，${move.differences.length} 处数字与开始时不同（正常）。`
      : '每张表的行数与金额合计前后相符。',
  )
  console.log(`要搬回去：npm run distribute -- --move ${company} --to ${formatNode(move.from)}`)
}
