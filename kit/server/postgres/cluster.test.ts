import { defined } from '#kit/domain/defined.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findClusterOwner, findCluster, openCluster } from './cluster.ts'
import { isAlive } from '../process-identity.ts'
import { findRunningServer } from './postmaster.ts'
import { createTestFolder } from '../fixtures/test-database.ts'

let dataDir: string

beforeEach(() => {
  dataDir = createTestFolder()
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function runSql(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const results = [await client.query({ text: sql, rowMode: 'array' })].flat()
    return defined(results.at(-1)).rows.flat()
  } finally {
    await client.end()
  }
}

// 'test' may lose the last commits in a kill; 'store' never.
const openTestedCluster = (tuned: 'store' | 'test' = 'test') => openCluster({ dataDir, tuning: tuned })

/** Another process that opens the cluster, runs a statement and then does nothing. */
async function startNeighbour(sql: string): Promise<ChildProcess> {
  const script = `
    import { openCluster } from ${JSON.stringify(new URL('./cluster.ts', import.meta.url).href)}
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const cluster = await openCluster({ dataDir: ${JSON.stringify(dataDir)} })
    const client = new pg.Client(cluster.url)
    await client.connect()
    await client.query(${JSON.stringify(sql)})
    console.log('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

it('opens, closes and opens again with what was written', async () => {
  const first = await openTestedCluster()
  expect(findCluster(dataDir)?.url).toBe(first.url)
  expect(findClusterOwner(dataDir)).toBe(process.pid)
  await runSql(first.url, 'create table house (name text); insert into house values ($$安居$$)')
  await first.close()
  await first.close()
  expect(findCluster(dataDir)).toBeUndefined()
  expect(findClusterOwner(dataDir)).toBe(0)
  const second = await openTestedCluster()
  expect(await runSql(second.url, 'select name from house')).toEqual(['安居'])
  await second.close()
})

it('creates a role without privileges and a UTF-8 database that listens on loopback only', async () => {
  const cluster = await openTestedCluster()
  const rights =
    'select rolsuper, rolbypassrls, rolcreatedb, rolcanlogin from pg_roles where rolname = current_user'
  expect(await runSql(cluster.url, rights)).toEqual([false, false, true, true])
  expect(
    await runSql(
      cluster.url,
      'select pg_encoding_to_char(encoding), datlocale from pg_database where datname = current_database()',
    ),
  ).toEqual(['UTF8', 'C.UTF-8'])
  expect(await runSql(cluster.url, 'create extension pg_trgm; create extension btree_gist')).toEqual([])
  expect(await runSql(cluster.url, `select cardinality(show_trgm('张伟国'))`)).toEqual([4])
  expect(await runSql(cluster.url, 'show timezone')).toEqual(['Asia/Shanghai'])
  const wrong = new URL(cluster.url)
  wrong.password = 'wrong'
  await expect(runSql(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect(statSync(join(dataDir, 'postgres/anju.json')).mode & 0o077).toBe(0)
  await cluster.close()
})

it('keeps committed rows through SIGKILL of the owner, and PostgreSQL does not outlive it', async () => {
  const owner = await startNeighbour(
    'create table house (name text); insert into house values ($$committed$$)',
  )
  const { pid } = defined(findRunningServer(join(dataDir, 'postgres')))
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  for (let tries = 0; isAlive(pid) && tries < 500; tries++) {
    await pause(20)
  }
  expect(isAlive(pid)).toBe(false)
  const cluster = await openTestedCluster()
  expect(await runSql(cluster.url, 'select name from house')).toEqual(['committed'])
  await cluster.close()
})

const killPostmaster = (): void => {
  process.kill(defined(findRunningServer(join(dataDir, 'postgres'))).pid, 'SIGKILL')
}

it('starts PostgreSQL again under the same address when it was killed', async () => {
  const reports: string[] = []
  const cluster = await openCluster({ dataDir, report: message => reports.push(message) })
  await runSql(cluster.url, 'create table house (name text); insert into house values ($$committed$$)')
  killPostmaster()
  await expect
    .poll(() => runSql(cluster.url, 'select name from house').catch(() => []), { timeout: 20_000 })
    .toEqual(['committed'])
  expect(reports).toEqual([expect.stringContaining('数据库意外停止（SIGKILL）'), '数据库已重新启动'])
  await cluster.close()
  expect(findCluster(dataDir)).toBeUndefined()
})

it('stops after three crashes in a minute with a message', async () => {
  const reports: string[] = []
  const cluster = await openCluster({
    dataDir,
    tuning: 'test',
    report: message => reports.push(message),
  })
  for (let returns = 0; returns < 2; returns++) {
    killPostmaster()
    await expect
      .poll(() => reports.filter(message => message === '数据库已重新启动').length, { timeout: 20_000 })
      .toBe(returns + 1)
  }
  killPostmaster()
  expect(await cluster.lost).toContain('数据库一分钟内停止了 3 次（SIGKILL），不再重新启动')
  await cluster.close()
  await (await openTestedCluster()).close()
})

it('can be closed while PostgreSQL is being started again', async () => {
  const cluster = await openTestedCluster()
  killPostmaster()
  await pause(250)
  await cluster.close()
  expect(findRunningServer(join(dataDir, 'postgres'))).toBeUndefined()
  expect(findClusterOwner(dataDir)).toBe(0)
})

it('refuses a folder in use and names who uses it', async () => {
  const owner = await startNeighbour('select 1')
  await expect(openTestedCluster()).rejects.toThrow(`正被另一个安居服务使用（进程 ${owner.pid}`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await (await openTestedCluster()).close()
})

it('a copied folder starts beside its running original; a folder moved under its owner is refused', async () => {
  const owner = await startNeighbour(
    'create table house (name text); insert into house values ($$committed$$)',
  )
  const copy = createTestFolder()
  // Without owner and modes, as a plain `cp -r` leaves it.
  cpSync(dataDir, copy, { recursive: true })
  const cluster = await openCluster({ dataDir: copy, tuning: 'test' })
  expect(await runSql(cluster.url, 'select name from house')).toEqual(['committed'])
  expect(findClusterOwner(dataDir)).toBe(owner.pid)
  await cluster.close()
  expect(findRunningServer(join(dataDir, 'postgres'))).toBeDefined()
  const moved = `${dataDir}-moved`
  renameSync(dataDir, moved)
  await expect(openCluster({ dataDir: moved })).rejects.toThrow(`（进程 ${owner.pid}`)
  renameSync(moved, dataDir)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  rmSync(copy, { recursive: true, force: true })
})

it('takes over a stale process file whose number belongs to another process now', async () => {
  await (await openTestedCluster()).close()
  const stranger = spawn('sleep', ['60'])
  writeFileSync(
    join(dataDir, 'postgres/postmaster.pid'),
    `${stranger.pid}\n/nowhere\n1\n1\n\n127.0.0.1\n\nready\n`,
  )
  writeFileSync(join(dataDir, 'cluster.lock'), JSON.stringify({ pid: stranger.pid, birth: 'long ago' }))
  const cluster = await openTestedCluster()
  expect(await runSql(cluster.url, 'select 1')).toEqual([1])
  await cluster.close()
  stranger.kill()
})

it('makes new passwords when their file was lost', async () => {
  const first = await openTestedCluster()
  await runSql(first.url, 'create table house (name text)')
  await first.close()
  rmSync(join(dataDir, 'postgres/anju.json'))
  const second = await openTestedCluster()
  expect(second.url.replace(/:\d+\//, '')).not.toBe(first.url.replace(/:\d+\//, ''))
  expect(await runSql(second.url, 'select count(*)::int from house')).toEqual([0])
  await second.close()
})

it('refuses a folder that is no cluster and a port that is taken', async () => {
  const cluster = await openTestedCluster()
  const other = createTestFolder()
  await expect(openCluster({ dataDir: other, port: cluster.port, tuning: 'test' })).rejects.toThrow(
    `端口 ${cluster.port} 已被占用`,
  )
  rmSync(join(other, 'postgres/PG_VERSION'))
  await expect(openCluster({ dataDir: other })).rejects.toThrow('不是 PostgreSQL 数据目录')
  rmSync(other, { recursive: true })
  await cluster.close()
})

it('makes a fresh start after a first start that was cut off', async () => {
  await (await openTestedCluster()).close()
  rmSync(join(dataDir, 'postgres'), { recursive: true })
  rmSync(join(dataDir, 'postgres.new'), { recursive: true, force: true })
  writeFileSync(join(dataDir, 'postgres.new'), 'half')
  const cluster = await openTestedCluster()
  expect(await runSql(cluster.url, 'select current_user::text')).toEqual(['anju'])
  await cluster.close()
})

it('begins as a copy of a stopped cluster, with passwords of its own', async () => {
  const made = await openCluster({ dataDir: join(dataDir, 'made'), tuning: 'test' })
  await runSql(made.url, 'create table house (name text); insert into house values ($$安居$$)')
  const { password } = new URL(made.url)
  await made.close()
  const template = () => join(dataDir, 'made/postgres')
  const copy = await openCluster({ dataDir: join(dataDir, 'copy'), tuning: 'test', template })
  try {
    expect(await runSql(copy.url, 'select name from house')).toEqual(['安居'])
    await expect(runSql(copy.url.replace(new URL(copy.url).password, password), 'select 1')).rejects.toThrow(
      'password',
    )
  } finally {
    await copy.close()
  }
})

it('is made from nothing where its template is missing or cannot be copied', async () => {
  const broken = join(dataDir, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'PG_VERSION'), '18\n')
  for (const [name, template] of [
    ['one', join(dataDir, 'missing')],
    ['two', broken],
  ] as const) {
    const cluster = await openCluster({
      dataDir: join(dataDir, name),
      tuning: 'test',
      template: () => template,
    })
    expect(await runSql(cluster.url, 'select 1')).toEqual([1])
    await cluster.close()
  }
})
