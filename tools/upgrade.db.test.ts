import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { createTestFolder, openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { appliedMigrations, migrate, MIGRATIONS, readMigrations } from '#kit/server/postgres/migrate.ts'
import { STATEMENT_LOG } from '#kit/server/statement-log.ts'
import { readReleaseArchive, RELEASE_PROGRAM, unpackRelease } from './release/release-archive.ts'
import type { CallResult, ReleaseAnswer, ReleaseQuestion } from './release/release-server.ts'
import { readSchema } from './release/schema-reader.ts'
import { root } from './source-files.ts'

/*
 * The previous released version (db/release) lays its own schema and demo and serves it, while the migrations
 * of this version run on the same database. It goes on answering afterwards, as the servers do that are
 * replaced one after the other.
 */

/** How long people may wait for a table at once. */
const longestLockMs = 2000

/**
 * Calls of the previous version while the migrations run, spread evenly between them: as many for a release
 * that many migrations follow as for one that few do.
 */
const callsDuringMigration = 800

const folder = createTestFolder()
// Below the repository: TypeScript and the libraries are found from there.
const sources = join(root, 'dist', `release-${process.pid}`)
let database: TestDatabase
let release: ReturnType<typeof startRelease>
let watcher: pg.Client

function startRelease(url: string) {
  const child: ChildProcess = fork(join(sources, RELEASE_PROGRAM), [url, folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, [STATEMENT_LOG]: '' },
  })
  const ask = (question: ReleaseQuestion): Promise<readonly CallResult[]> =>
    new Promise((resolve, reject) => {
      const settle = (answer: ReleaseAnswer): void => {
        if (!('question' in answer) || answer.question !== question) return
        child.off('message', settle)
        child.off('exit', onExit)
        if (answer.failure) {
          reject(new Error(answer.failure))
        } else {
          resolve(answer.results)
        }
      }
      const onExit = (): void => reject(new Error(`the release ended while asked for ${question}`))
      child.on('message', settle)
      child.once('exit', onExit)
      child.send(question)
    })
  const traffic = { made: 0 }
  child.on('message', (answer: ReleaseAnswer) => {
    if ('made' in answer) {
      traffic.made = answer.made
    }
  })
  /** Waits until the traffic has made that many calls more. */
  const waitForCalls = async (count: number): Promise<void> => {
    const before = traffic.made
    while (traffic.made < before + count && child.exitCode === null) {
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  return { ask, waitForCalls, close: () => child.kill() }
}

beforeAll(async () => {
  database = await openTestDatabase({ from: 'nothing' })
  mkdirSync(sources, { recursive: true })
  unpackRelease(readReleaseArchive(), sources)
  release = startRelease(database.url)
  await release.ask('seed')
  await release.ask('open')
  watcher = new pg.Client(database.url)
  await watcher.connect()
  await watcher.query(`set app.owner_id = '*'`)
}, 300_000)

afterAll(async () => {
  release?.close()
  await watcher?.end()
  await database?.drop()
  rmSync(sources, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

/** The books: none of their figures may change by an upgrade. */
const books = [
  'bill',
  'bill_month',
  'bill_move',
  'pay_record',
  'pay_line',
  'pay_detail',
  'fee_refund',
] as const

/** Tables that a server writes of itself while it answers. */
const writtenByAnswers = /^(operation_log|audit_log|session_token|directory|refusal_log|schema_migration)/

interface Contents {
  /** Rows of the lively company, table by table. */
  readonly counts: Readonly<Record<string, number>>
  /** Sums of all whole numbers of the books. */
  readonly sums: Readonly<Record<string, string>>
}

async function readContents(columns?: Contents['sums']): Promise<Contents> {
  const owner = `(select owner_id from manager where login_code = 'demo')`
  const { rows: tables } = await watcher.query<{ name: string }>(`
    select c.relname as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  `)
  const counts: Record<string, number> = {}
  for (const { name } of tables.filter(table => !writtenByAnswers.test(table.name))) {
    const { rows } = await watcher.query(`select count(*)::int as n from ${name} where owner_id = ${owner}`)
    counts[name] = rows[0].n
  }
  const { rows: numbers } = await watcher.query<{ table: string; column: string }>(
    `
      select table_name as table, column_name as column
      from information_schema.columns
      where table_schema = 'public'
        and table_name = any($1)
        and data_type in ('bigint', 'integer', 'smallint', 'numeric')
    `,
    [books],
  )
  const sums: Record<string, string> = {}
  for (const { table, column } of numbers) {
    const name = `${table}.${column}`
    if (columns && !(name in columns)) continue
    const { rows } = await watcher.query(
      `select sum(${column})::text as s from ${table} where owner_id = ${owner}`,
    )
    sums[name] = rows[0].s
  }
  return { counts, sums }
}

/** Looks every few milliseconds what a connection locks so that others cannot read or write there. */
function watchLocks(pid: number, tables: readonly string[]): () => Promise<{ table: string; ms: number }[]> {
  const longest = new Map<string, number>()
  const end = new AbortController()
  const watching = (async () => {
    const since = new Map<string, number>()
    const client = new pg.Client(database.url)
    await client.connect()
    while (!end.signal.aborted) {
      const { rows } = await client.query<{ name: string }>(
        `
          select distinct c.relname as name
          from pg_locks l
          join pg_class c on c.oid = l.relation
          where l.pid = $1
            and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            and c.relname = any($2)
        `,
        [pid, tables],
      )
      const locked = new Set(rows.map(row => row.name))
      for (const name of locked) {
        since.set(name, since.get(name) ?? performance.now())
        longest.set(name, Math.max(longest.get(name) ?? 0, performance.now() - defined(since.get(name))))
      }
      for (const name of since.keys()) {
        if (!locked.has(name)) {
          since.delete(name)
        }
      }
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    await client.end()
  })()
  return async () => {
    end.abort()
    await watching
    return [...longest].map(([table, ms]) => ({ table, ms: Math.round(ms) }))
  }
}

const failuresOf = (results: readonly CallResult[]): string[] =>
  results
    .filter(({ status, code }) => status >= 500 || code === resultCode.internalError)
    .map(({ route, status, code, message }) => `${route}: ${status} ${code} ${message}`)

const codesOf = (results: readonly CallResult[]): Readonly<Record<string, string>> =>
  Object.fromEntries(results.map(({ route, code, message }) => [route, `${code} ${message}`]))

it('a full database is migrated while the previous version answers, and nothing in it is lost', async () => {
  const before = await release.ask('reads')
  expect(failuresOf(before)).toEqual([])
  expect(before.filter(({ code }) => code === resultCode.ok).length).toBeGreaterThan(150)
  const contents = await readContents()
  expect(Number(contents.sums['bill.amount'])).toBeGreaterThan(0)

  const traffic = release.ask('traffic')
  const migrating = new pg.Client(database.url)
  await migrating.connect()
  const { rows } = await migrating.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stopWatching = watchLocks(defined(rows[0]).pid, Object.keys(contents.counts))
  const applied = await appliedMigrations(migrating)
  const names = new Set(applied.keys())
  const pending = readMigrations(MIGRATIONS).filter(each => !applied.has(each.name))
  const callsBetween = Math.ceil(callsDuringMigration / (pending.length + 1))
  for (const { name } of pending) {
    await release.waitForCalls(callsBetween)
    names.add(name)
    await migrate(migrating, { upTo: names })
  }
  await release.waitForCalls(callsBetween)
  await migrating.end()
  const locks = await stopWatching()
  await release.ask('stop')
  const results = await traffic
  expect(results.length).toBeGreaterThan(50)
  expect(failuresOf(results)).toEqual([])
  expect(locks.filter(({ ms }) => ms > longestLockMs)).toEqual([])

  // The traffic has used up what one address may send in a minute.
  await watcher.query('delete from rate_count')
  const after = await release.ask('reads')
  expect(codesOf(after)).toEqual(codesOf(before))
  const contentsAfter = await readContents(contents.sums)
  expect(contentsAfter.sums).toEqual(contents.sums)
  // A migration may add rows, as the history of what it changes; it takes none away.
  expect(
    Object.entries(contents.counts).filter(([table, count]) => (contentsAfter.counts[table] ?? 0) < count),
  ).toEqual([])
  expect(books.filter(table => contentsAfter.counts[table] !== contents.counts[table])).toEqual([])
}, 300_000)

it('the schema is that of a new database', async () => {
  const fresh = await openTestDatabase({ from: 'migrated' })
  try {
    expect(await readSchema(database.url)).toEqual(await readSchema(fresh.url))
  } finally {
    await fresh.drop()
  }
})

it('after the migration the previous version takes payments and writes whatever it wrote before', async () => {
  const payments = await release.ask('payments')
  expect(payments.length).toBeGreaterThan(0)
  expect(payments.filter(({ code }) => code !== resultCode.ok)).toEqual([])
  const writes = await release.ask('writes')
  expect(writes.length).toBeGreaterThan(100)
  expect(failuresOf(writes)).toEqual([])
}, 300_000)
