import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { companyScopeSql } from '#kit/server/company-scope.ts'
import { findCluster, openCluster } from '#kit/server/postgres/cluster.ts'
import { missingLeakproof } from '#kit/server/postgres/leakproof.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { settings } from '#kit/server/settings.ts'
import type { ReportShare } from '#kit/server/startup/startup-progress.ts'
import { builtDatabase } from './build-database.ts'
import { root } from './source-files.ts'

export interface DatabaseHandle {
  url: string
  /** resolves with a reason when our own server ends unasked */
  lost: Promise<string>
  close(): Promise<void>
}

const NEVER_LOST = new Promise<string>(() => {})

/** DATABASE_URL's database, or our own on the data folder. Calls `onWaiting` while that one comes up. */
export async function openDatabase(dataDir: string, onWaiting = () => {}): Promise<DatabaseHandle> {
  const configuredUrl = settings.databaseUrl.read()
  if (!configuredUrl)
    return await openCluster({ dataDir, report: console.warn, template: builtDatabase, onWaiting })
  onWaiting()
  return { url: configuredUrl, lost: NEVER_LOST, close: async () => {} }
}

/** The same beside a running server: connects to its cluster, or starts a stopped one temporarily. */
export async function openDatabaseBesideServer(
  dataDir: string,
  { make }: { make: boolean },
): Promise<DatabaseHandle> {
  const configuredUrl = settings.databaseUrl.read()
  const url = configuredUrl || findCluster(dataDir)?.url
  if (url) return { url, lost: NEVER_LOST, close: async () => {} }
  if (!make && !existsSync(join(dataDir, 'postgres'))) {
    throw new StartupError(
      `数据目录 ${dataDir} 里没有数据库。请用 --data 指定数据目录，或设置 DATABASE_URL。`,
    )
  }
  return await openCluster({ dataDir })
}

/** Prints what to run where searching cannot use its index: a given database may lack it. */
export async function reportLeakingLike(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const missing = await missingLeakproof(client)
    if (missing.length) {
      console.warn(
        `数据库里模糊查找用不上索引，数据多时会慢。请以超级用户在这个库里执行一次：\n${missing.join('\n')}`,
      )
    }
  } finally {
    await client.end()
  }
}

interface DemoModule {
  fillDemo(url: string, how: { dataDir?: string; alone: boolean; report?: ReportShare }): Promise<void>
}

const demoFile = join(root, 'db/golden/demo.ts')

/** The program of the demo; undefined where it is not installed. */
export async function readDemo(): Promise<DemoModule | undefined> {
  return existsSync(demoFile) ? await import(pathToFileURL(demoFile).href) : undefined
}

/**
 * Whether any company (`property`) is here: as the scope shows it, in the directory, which has no scope, and
 * with the policy lifted for the length of this look. A scope that silently shows nothing must never make a
 * full database look empty.
 */
async function hasCompany(client: pg.ClientBase): Promise<boolean> {
  const exists = async (table: string): Promise<boolean> =>
    (await client.query('select to_regclass($1) is not null as found', [table])).rows[0].found
  const hasRow = async (table: string): Promise<boolean> =>
    (await client.query(`select exists (select from ${table}) as found`)).rows[0].found
  if (!(await exists('property'))) return false
  if ((await exists('directory')) && (await hasRow('directory'))) return true
  await client.query(`begin; ${companyScopeSql('*')}`)
  try {
    if (await hasRow('property')) return true
    await client.query(`set local lock_timeout = '15s'; alter table property no force row level security`)
    return await hasRow('property')
  } finally {
    await client.query('rollback')
  }
}

const UNFINISHED_TABLE = 'demo_unfinished'
// Any number, the same for every program that seeds the demo here.
const SEED_LOCK = 7_246_011_520_612

/**
 * Seeds the demo in a migrated database that has no company; true when it did. A marker table exists while
 * that runs. What a killed run left behind is removed whole where the database is `alone` ours, also when no
 * demo is wanted any more: nobody else can have worked in it, our server opens only afterwards. In a given
 * database others may have: nothing there is ever removed, and the incomplete demo is reported.
 */
export async function seedOnce(
  url: string,
  alone: boolean,
  seed?: (url: string) => Promise<void>,
): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [SEED_LOCK])
    if ((await client.query('select to_regclass($1) is not null as half', [UNFINISHED_TABLE])).rows[0].half) {
      if (alone) {
        await resetSchema(client)
      } else {
        await client.query(`drop table ${UNFINISHED_TABLE}`)
        console.warn(
          '上次启动没有放完演示数据，演示公司不完整。要完整的演示，请更换空数据库；其他公司不受影响。',
        )
      }
    }
    if (!seed || (await hasCompany(client))) return false
    await client.query(`create table ${UNFINISHED_TABLE} ()`)
    await seed(url)
    await client.query(`drop table ${UNFINISHED_TABLE}`)
    return true
  } finally {
    await client.end()
  }
}

async function resetSchema(client: pg.ClientBase): Promise<void> {
  await client.query('begin; drop schema public cascade; create schema public; commit')
  await migrate(client)
}

interface SeedOptions {
  fill: boolean
  dataDir?: string
  alone?: boolean
  report?: ReportShare
}

/**
 * Fills a database that has no company with the demo, once. True when the demo is wanted and its accounts are
 * there; a start that fills nothing does not read the demo's program at all.
 */
export async function seedDemo(
  url: string,
  { fill, dataDir, alone = !settings.databaseUrl.read(), report }: SeedOptions,
): Promise<boolean> {
  if (!fill) return seedOnce(url, alone)
  if (!existsSync(demoFile)) return false
  const isSeeded = await seedOnce(url, alone, async target => {
    const demo = await readDemo()
    await demo?.fillDemo(target, { alone, ...(dataDir ? { dataDir } : {}), ...(report ? { report } : {}) })
  })
  if (isSeeded) return true
  const { hasDemo } = await import('#db/golden/demo-presence.ts')
  return await hasDemo(url)
}
