import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { findPostgresBinaries } from './binaries.ts'
import { ROLE, makeCluster, readSecrets, renewSecrets, type Secrets } from './cluster-creation.ts'
import { assertWritableFolder } from './data-folder.ts'
import { findLockHolder, releaseLock, acquireLock } from './lock.ts'
import { StartupError } from './startup-error.ts'
import {
  PortTaken,
  findRunningServer,
  startPostmaster,
  stopOrphan,
  type ServerLocation,
} from './postmaster.ts'
import { superviseServer } from './supervision.ts'
import { postgresSettings, type Tuning } from './settings.ts'
import { adoptFolder, reachablePath, findRunUser } from './run-user.ts'
import { errorCode } from '../database-error.ts'

const MAJOR = '18'

export interface ClusterAddress {
  /** Database anju as role anju: what the product uses. */
  url: string
  /** Database postgres as superuser: for maintenance of the cluster only. */
  adminUrl: string
  port: number
}

export interface Cluster extends ClusterAddress {
  dataDir: string
  /** The same role, another database of the cluster. */
  urlOf(database: string): string
  /** Resolves with a Chinese reason if the server died without close() and could not be kept running. */
  lost: Promise<string>
  /** Fast shutdown, waits; safe to call twice. */
  close(): Promise<void>
}

export interface ClusterOptions {
  /** Created when missing; PostgreSQL's own files are in its folder postgres. */
  dataDir: string
  /** Loopback port; a free one when not given. */
  port?: number
  tuning?: Tuning
  /** A stopped cluster to make a missing one from: faster than from nothing. */
  template?: (() => string) | undefined
  /** Called when the server died and when it runs again, as text for the person at the console. */
  report?: (message: string) => void
  /** Called when a process that makes or serves the data runs: this one has nothing to do until it is up. */
  onWaiting?: () => void
}

/**
 * The product's own PostgreSQL on a data folder: created on first use (role and database anju, random
 * passwords in the folder, 0600), repaired after a crash, ended with this process. Throws a StartupError,
 * among others when another process uses the folder. A server that dies is started again under the same
 * address.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, tuning = 'store', template, onWaiting = () => {} } = options
  const top = resolve(dataDir)
  assertWritableFolder(top)
  const lock = join(top, 'cluster.lock')
  const holder = acquireLock(lock)
  if (holder) throw folderInUse(top, holder)
  try {
    const folder = join(top, 'postgres')
    const user = findRunUser(folder)
    const binaries = findPostgresBinaries(user)
    if (!existsSync(folder)) {
      const made = makeCluster(top, folder, { user, binaries }, { tuning, template: template?.() })
      onWaiting()
      await made
    }
    assertOwnCluster(folder)
    adoptFolder(folder, user)
    const place: ServerLocation = {
      folder,
      path: reachablePath(user, folder),
      user,
      binaries,
      log: rotateLog(top),
    }
    await stopOrphan(place)
    const secrets = readSecrets(folder) ?? (await renewSecrets(place))
    return await runCluster(place, top, lock, secrets, options)
  } catch (error) {
    releaseLock(lock)
    throw error
  }
}

/** The cluster that runs on a data folder, whichever process started it; undefined when none does. */
export function findCluster(dataDir: string): ClusterAddress | undefined {
  const folder = join(resolve(dataDir), 'postgres')
  const running = findRunningServer(folder)
  const secrets = running?.ready ? readSecrets(folder) : undefined
  return running && secrets ? addressOf(running.port, secrets) : undefined
}

/** The process that holds a data folder open, 0 when none. */
export function findClusterOwner(dataDir: string): number {
  return findLockHolder(join(resolve(dataDir), 'cluster.lock'))
}

async function runCluster(
  place: ServerLocation,
  top: string,
  lock: string,
  secrets: Secrets,
  { port: requestedPort, tuning = 'store', report = () => {}, onWaiting = () => {} }: ClusterOptions,
): Promise<Cluster> {
  const settings = postgresSettings(tuning)
  for (let attempt = 0; ; attempt++) {
    const port = requestedPort ?? (await findFreePort())
    try {
      const started = startPostmaster(place, port, settings)
      onWaiting()
      const child = await started
      // The address stays: everybody who uses the database has it.
      const start = () => startPostmaster(place, port, settings)
      const supervision = superviseServer(child, { place, start, report })
      let closing: Promise<void> | undefined
      const close = async () => {
        await supervision.close()
        releaseLock(lock)
      }
      return {
        ...addressOf(port, secrets),
        dataDir: top,
        urlOf: database => buildUrl(ROLE, secrets.role, port, database),
        lost: supervision.lost,
        close: () => (closing ??= close()),
      }
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error
      if (requestedPort !== undefined)
        throw new StartupError(`数据库端口 ${requestedPort} 已被占用，请更换端口。`)
      if (attempt > 5) throw new StartupError('未找到可用的本机端口来启动数据库。')
    }
  }
}

function buildUrl(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
}

function addressOf(port: number, secrets: Secrets): ClusterAddress {
  return {
    url: buildUrl(ROLE, secrets.role, port, ROLE),
    adminUrl: buildUrl('postgres', secrets.admin, port, 'postgres'),
    port,
  }
}

function folderInUse(top: string, holder: number): StartupError {
  const port = findRunningServer(join(top, 'postgres'))?.port
  const where = port ? `，数据库端口 ${port}` : ''
  return new StartupError(
    `数据目录 ${top} 正被另一个安居服务使用（进程 ${holder}${where}）。请先停止它，或用 --data 指定其他目录。`,
  )
}

function assertOwnCluster(folder: string): void {
  let version: string
  try {
    version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EACCES') {
      throw new StartupError(
        `数据目录 ${folder} 属于另一个系统用户（uid ${statSync(folder).uid}），请用当初创建它的用户启动。`,
      )
    }
    throw new StartupError(`目录 ${folder} 不是 PostgreSQL 数据目录。请移走它，或用 --data 指定其他目录。`)
  }
  if (version !== MAJOR) {
    throw new StartupError(
      `数据目录 ${folder} 是 PostgreSQL ${version} 的，本程序自带 ${MAJOR}。请用原来的版本备份（npm run backup），再恢复到新目录。`,
    )
  }
}

function rotateLog(top: string): string {
  const log = join(top, 'postgres.log')
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > 10 * 2 ** 20) {
    renameSync(log, `${log}.1`)
  }
  return log
}

/** A loopback port nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done, fail) => probe.once('error', fail).listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise(done => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
