import { existsSync, statSync } from 'node:fs'
import pg from 'pg'
import { companyScopeSql } from '#kit/server/company-scope.ts'
import { exportCompany } from '#kit/server/company-data/export.ts'
import { declarationsOf } from '#kit/server/company-data/installed.ts'
import { openFileStorage } from '#kit/server/file-storage.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { parseArguments, resolveDataDir, runCommand } from './command-line.ts'
import { openDatabaseBesideServer } from './database.ts'
import { parseCompany } from './distribution/plan.ts'
import { readProductVersion } from './product-version.ts'

const USAGE = 'npm run export-company -- --company 公司编号 --out 文件.zip [--data ./data]'

/** Writes everything that one company owns into a zip of open files; works beside a running server. */
await runCommand(async () => {
  const { values } = parseArguments(
    { company: { type: 'string' }, out: { type: 'string' }, data: { type: 'string' } },
    USAGE,
  )
  const { company, out } = values
  if (!company || !out) throw new StartupError(`请给出公司编号与文件名。\n用法：${USAGE}`)
  if (existsSync(out)) throw new StartupError(`文件 ${out} 已存在。请更换文件名，或先移走它。`)
  const dataDir = resolveDataDir(values.data)
  const database = await openDatabaseBesideServer(dataDir, { make: false })
  try {
    const { attachments, tables } = await exportCompany({
      ...declarationsOf(await loadInstalledModules()),
      databaseUrl: database.url,
      storage: await openFileStorage(dataDir),
      company: await findCompany(database.url, parseCompany(company)),
      product: '安居',
      productVersion: readProductVersion(),
      file: out,
      exportTime: new Date(),
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const missing = attachments.missing ? `，另有 ${attachments.missing} 个文件在存储中已不存在` : ''
    const megabytes = (statSync(out).size / 2 ** 20).toFixed(1)
    console.log(
      `已导出到 ${out}（${megabytes} MB）：${tables.length} 个表 ${rows} 行，附件 ${attachments.count} 个${missing}。`,
    )
    console.log('文件未加密，含公司的全部资料，请妥善保管。')
  } finally {
    await database.close()
  }
})

async function findCompany(url: string, id: number): Promise<{ readonly id: number; readonly name: string }> {
  // A stopped database may be of an earlier version; the running server's never is.
  await migrate(url)
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('begin read only')
    await client.query(companyScopeSql('*'))
    const { rows } = await client.query<{ id: number; name: string }>(
      'select id::float8 as id, company_name as name from property where owner_id = $1 and id = $1',
      [id],
    )
    const others = await client.query<{ text: string }>(
      `select string_agg(id || ' ' || company_name, '、' order by id) as text from property where id = owner_id`,
    )
    await client.query('commit')
    if (rows[0]) return rows[0]
    throw new StartupError(`没有编号为 ${id} 的公司。现有公司：${others.rows[0]?.text ?? '无'}。`)
  } finally {
    await client.end()
  }
}
