import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { openCluster, clusterOwner, findCluster, type Cluster } from './cluster.ts'
import { alive } from './lock.ts'
import { migrate } from './migrate.ts'
import { roomIn } from './settings.ts'

export interface TestCluster {
  cluster: Cluster
  close(): Promise<void>
}

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

const PREFIX = 'anju-test-'
const TEMPLATE = 'golden'
const GIB = 2 ** 30

/** Carries the cluster's address from the run's set-up to its workers. */
const ADDRESS = 'ANJU_TEST_CLUSTER'
const GOLDEN = fileURLToPath(new URL('../../../db/golden/fill.ts', import.meta.url))

function places(): string[] {
  return process.platform === 'linux' ? ['/dev/shm', tmpdir()] : [tmpdir()]
}

/** What a killed run left behind: its PostgreSQL ended with it, its folder did not. */
function sweep(): void {
  for (const place of places()) {
    const names = existsSync(place) ? readdirSync(place).filter(name => name.startsWith(PREFIX)) : []
    for (const name of names) {
      const folder = join(place, name)
      if (
        alive(Number(name.slice(PREFIX.length).split('-')[0])) ||
        clusterOwner(folder) ||
        findCluster(folder)
      )
        continue
      try {
        rmSync(folder, { recursive: true, force: true })
      } catch {
        // Another user's.
      }
    }
  }
}

/** An empty folder for a cluster or files of a test, in memory where there is room. */
export function testFolder(): string {
  const place = places().find((each, at, all) => at === all.length - 1 || roomIn(each) > GIB)!
  const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
  // PostgreSQL's own user must pass through.
  chmodSync(folder, 0o711)
  return folder
}

/** A cluster for one run: nothing in it survives close(). */
export async function openTestCluster(): Promise<TestCluster> {
  sweep()
  const folder = testFolder()
  try {
    const cluster = await openCluster({ dataDir: folder, tuned: 'test' })
    const close = async () => {
      await cluster.close()
      rmSync(folder, { recursive: true, force: true })
    }
    return { cluster, close }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Makes the template every fresh database is cloned from: migrated, and filled by db/golden/fill.ts
 * (`fill(url)`) when that exists. Sets the address for freshDatabase() in this process and its children.
 */
export async function makeTemplate(cluster: Cluster): Promise<void> {
  await asRole(cluster.url, `create database ${TEMPLATE}`)
  const url = cluster.urlOf(TEMPLATE)
  await migrate(url)
  if (existsSync(GOLDEN)) {
    const golden = (await import(pathToFileURL(GOLDEN).href)) as { fill(url: string): Promise<void> }
    await golden.fill(url)
  }
  // A clone copies statistics too: the planner then sees golden data as production would.
  await asRole(url, 'analyze')
  process.env[ADDRESS] = cluster.url
}

/**
 * A database of its own for one test file: a clone of the golden template, or with `from: 'nothing'` an empty
 * one. Only inside a run that has opened its cluster (vitest project server).
 */
export async function freshDatabase({
  from = 'golden',
}: { from?: 'golden' | 'nothing' } = {}): Promise<FreshDatabase> {
  const address = process.env[ADDRESS]
  if (!address)
    throw new Error(
      'no test cluster: this test belongs to the vitest project "server" (see vitest.config.ts)',
    )
  const name = `t_${randomBytes(6).toString('hex')}`
  const template = from === 'golden' ? TEMPLATE : 'template0'
  // In memory a file copy takes half the time of the default, which writes the copy to the log first.
  await asRole(address, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(address)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asRole(address, `drop database if exists ${name} with (force)`) }
}

async function asRole(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
