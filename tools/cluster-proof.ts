import type { Id } from '#kit/domain/id.ts'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { defined } from '#kit/domain/defined.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import { backup } from '#kit/server/postgres/backup.ts'
import { restore } from '#kit/server/postgres/restore.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { registerEntities } from '#kit/server/registry.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { golden } from '#db/golden/golden-data.ts'
import { parseArguments, runCommand } from './command-line.ts'
import { connectCoordinator } from './distribution/cluster-check.ts'
import { listCompanyPlaces } from './distribution/move-company.ts'
import { compareTallies, parseNode } from './distribution/plan.ts'
import { runEveryCron } from './distribution/proof-crons.ts'
import { payThroughOutage, runTasksThroughKill } from './distribution/proof-failures.ts'
import { startProofServer, type ProofServer } from './distribution/proof-server.ts'
import {
  closeToday,
  createProofBills,
  generateMonth,
  importTenRooms,
  payAndRefund,
  payBill,
  readEverything,
  signIn,
  type ProofCompany,
} from './distribution/proof-steps.ts'
import { replayStatements } from './distribution/replay.ts'
import { countAll } from './distribution/tally.ts'
import { isProduct, readLog } from './statement-lint.ts'
import { prepare, require, step } from './distribution/proof-prepare.ts'

const USAGE = `node tools/launch.mjs tools/cluster-proof.ts --admin 超级用户地址 --url 服务角色地址
  --stop-worker '命令 {port}' --start-worker '命令 {port}' [--replay 语句日志的文件夹] [--port 8200]
  数据库必须是空的，citus 扩展已装、两个以上工作节点已登记。`

type Modules = Awaited<ReturnType<typeof loadInstalledModules>>

interface Proof {
  readonly admin: pg.Client
  readonly adminUrl: string
  readonly url: string
  readonly folder: string
  readonly database: Database
  readonly servers: readonly [ProofServer, ProofServer]
  readonly companies: readonly [ProofCompany, ProofCompany]
  readonly modules: Modules
}

async function proveDailyWork({ servers, database, companies, folder, modules }: Proof): Promise<void> {
  for (const [i, company] of companies.entries()) {
    const server = defined(servers[i])
    const title = `公司 ${company.ownerId}`
    await step(
      `${title} 导入`,
      () => importTenRooms(server, database, company, folder),
      n => `${n} 间房`,
    )
    await step(
      `${title} 生成账单`,
      () => generateMonth(server, database, company),
      n => `${n} 张`,
    )
    const bills = await createProofBills(database, company.ownerId, 4)
    await step(
      `${title} 收款与退款`,
      async () => {
        for (const bill of bills.slice(0, 3)) {
          await payBill(server, bill, company.caller)
        }
        return payAndRefund(server, defined(bills[3]), company.caller)
      },
      state => `收 4 笔，退款状态 ${state}`,
    )
  }
  const calls = modules.flatMap(module => [...module.contract.calls])
  const read = await step(
    `全部查询与报表`,
    () => readEverything(servers[0], database, calls, companies[0]),
    found => `${found.calls} 个接口 ${found.answered} 次应答，${found.defects.length} 个错误`,
  )
  require(!read.defects.length, read.defects.join('\n'))
}

async function proveBackup({ url, adminUrl, admin, folder }: Proof): Promise<void> {
  const file = join(folder, 'proof.tar.zst')
  const name = `proof_restored_${process.pid}`
  const target = new URL(url)
  target.pathname = `/${name}`
  await admin.query(`create database ${name} owner ${pg.escapeIdentifier(target.username)}`)
  try {
    await step(
      '备份与恢复',
      async () => {
        const made = await backup(url, file)
        await restore(target.href, file)
        const restoredAdmin = new URL(adminUrl)
        restoredAdmin.pathname = `/${name}`
        const restored = await connectCoordinator(restoredAdmin.href)
        try {
          const differences = compareTallies(await countAll(admin), await countAll(restored))
          require(!differences.length, differences.join('\n'))
        } finally {
          await restored.end()
        }
        return made
      },
      made => `${made.tables} 张表 ${made.rows} 行，逐公司的行数与金额与集群相符`,
    )
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
  }
}

async function proveFailures(
  { servers, database, companies, admin }: Proof,
  commands: { readonly stop: string; readonly start: string },
): Promise<void> {
  const place = (await listCompanyPlaces(admin)).find(p => Number(p.company) === companies[0].ownerId)
  const outage = await step(
    '收款途中一个工作节点停下又回来',
    () => payThroughOutage(servers, database, companies, parseNode(defined(place).node), commands),
    found =>
      `${found.node} 停 ${found.downSeconds} 秒；${found.payments} 笔，丢 ${found.lost}，重复 ${found.double}，最长等 ${found.longestSeconds.toFixed(1)} 秒；` +
      `期间的应答 ${JSON.stringify(found.messages)}；另一家公司 ${found.otherPayments} 笔，被拒 ${found.otherRefused} 次`,
  )
  require(!outage.lost && !outage.double, '有钱丢失或重复')
  const unclear = Object.keys(outage.messages).filter(message => !/暂时不可用|无应答/.test(message))
  require(!unclear.length, `停机时的话不清楚：${unclear.join('；')}`)
  const tasks = await step(
    '两台服务上的后台任务，途中杀掉一台',
    () => runTasksThroughKill(servers[0], servers[1], database, companies),
    found => `${found.tasks} 个任务完成 ${found.done} 个`,
  )
  require(tasks.done === tasks.tasks, '有任务没有做完')
}

async function proveReplay({ url, companies }: Proof, folder: string): Promise<void> {
  const seen = new Set<string>()
  const statements = readLog(folder).filter(({ sql: text, sentFrom, allCompanies }) => {
    const key = `${allCompanies} ${text}`
    const isNew = !seen.has(key)
    seen.add(key)
    const file = sentFrom.slice(0, sentFrom.lastIndexOf(':'))
    // Demo data is laid into an empty database alone, before it is distributed.
    return isNew && isProduct(file) && !file.startsWith('db/golden/')
  })
  const replay = await step(
    '重放服务端测试的语句',
    () => replayStatements(url, statements, companies[0].ownerId),
    found => `${found.sent} 条，被拒 ${found.refused.length} 条`,
  )
  for (const refused of replay.refused) {
    console.log(`  ${refused.sentFrom} ${refused.code} ${refused.error}\n    ${refused.sql.slice(0, 160)}`)
  }
  require(!replay.refused.length, `${replay.refused.length} 条语句被拒`)
}

/** What the engine refused, by the servers' own logs; a node that was away is no refusal. */
const findRefusals = (servers: readonly ProofServer[]): string[] =>
  servers
    .flatMap(server => server.errors)
    .filter(line => /"code":"(0A|XX)/.test(line))
    .filter(line => !/server closed the connection|marked as essential/.test(line))

async function signInCompanies(
  database: Database,
  first: ProofServer,
  second: ProofServer,
): Promise<Proof['companies']> {
  const owners = await database
    .reader('*')
    .rows<{ ownerId: Id }>(sql`select owner_id from directory where kind = 'company' order by owner_id`)
  const [ownerId = 0, otherId = 0] = owners.map(row => row.ownerId)
  return step(
    '两家公司登录',
    async () =>
      [
        { ownerId, caller: await signIn(first, golden.first.owner) },
        { ownerId: otherId, caller: await signIn(second, golden.second.owner) },
      ] as const,
    () => '成功',
  )
}

async function proveAll(
  proof: Proof,
  dataDir: string,
  commands: { readonly stop: string; readonly start: string },
  replay: string | undefined,
): Promise<void> {
  const [first, second] = proof.servers
  await proveDailyWork(proof)
  await proveFailures(proof, commands)
  await step(
    '全部定时任务',
    () => runEveryCron(proof.url, dataDir, proof.modules),
    count => `${count} 个，没有一个失败`,
  )
  await step(
    '交账与日结',
    async () => closeToday(first, proof.companies[0].caller, await signIn(first, golden.first.estateOnly)),
    day => day,
  )
  await proveBackup(proof)
  if (replay) {
    await proveReplay(proof, replay)
  }
  const refusals = findRefusals([first, second])
  require(!refusals.length, refusals.join('\n'))
}

await runCommand(async () => {
  const { values } = parseArguments(
    {
      admin: { type: 'string' },
      url: { type: 'string' },
      'stop-worker': { type: 'string' },
      'start-worker': { type: 'string' },
      replay: { type: 'string' },
      port: { type: 'string', default: '8200' },
    },
    USAGE,
  )
  const { admin: adminUrl, url, replay, 'stop-worker': stop, 'start-worker': start } = values
  if (!adminUrl || !url || !stop || !start) throw new StartupError(`用法：${USAGE}`)
  // Named by the database: a proof that is run once more finds the files of its tasks.
  const folder = join(tmpdir(), `anju-proof${new URL(url).pathname.replaceAll('/', '-')}`)
  mkdirSync(folder, { recursive: true })
  const admin = await connectCoordinator(adminUrl)
  const modules = await loadInstalledModules()
  registerEntities(modules.flatMap(module => module.contract.entities))
  await prepare(admin, adminUrl, url)
  const database = openDatabase(url, { pool: 4, bulk: 1 })
  const options = { databaseUrl: url, dataDir: join(folder, 'data') }
  const first = await startProofServer('甲', { ...options, port: Number(values.port) })
  const second = await startProofServer('乙', { ...options, port: Number(values.port) + 1 })
  try {
    const proof: Proof = {
      admin,
      adminUrl,
      url,
      folder,
      database,
      modules,
      servers: [first, second],
      companies: await signInCompanies(database, first, second),
    }
    await proveAll(proof, options.dataDir, { stop, start }, replay)
    rmSync(folder, { recursive: true, force: true })
    console.log('全部通过。')
  } catch (error) {
    const lines = [...first.errors, ...second.errors]
    const number = /编号 ([\w-]+)/.exec(String(error))?.[1]
    for (const line of number ? lines.filter(each => each.includes(number)) : lines.slice(-5)) {
      console.error(line.slice(0, 2000))
    }
    throw error
  } finally {
    await Promise.all([first.close(), second.close()])
    await database.close()
    await admin.end()
  }
})
