import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { findPostgresBinaries } from './binaries.ts'
import { findLockHolder, releaseLock, acquireLock } from './lock.ts'
import { StartupError, lastLines } from './startup-error.ts'
import {
  PortTaken,
  CLEAN_ENV,
  findRunningServer,
  startPostmaster,
  stopOrphan,
  stopPostmaster,
  type ServerLocation,
} from './postmaster.ts'
import { runProcess } from './child-process.ts'
import { postgresSettings, type Tuning } from './settings.ts'
import { changeOwner, reachablePath, findRunUser } from './run-user.ts'

const ROLE = 'anju'
const MAJOR = '18'

export interface ClusterAddress {
  /** database anju as role anju: what the product uses */
  url: string
  /** database postgres as superuser: for care of the cluster only */
  adminUrl: string
  port: number
}

export interface Cluster extends ClusterAddress {
  dataDir: string
  /** the same role, another database of the cluster */
  urlOf(database: string): string
  /** resolves with a Chinese reason if the server ends without close() */
  lost: Promise<string>
  /** fast shutdown, waits; safe to call twice */
  close(): Promise<void>
}

export interface ClusterOptions {
  /** made when missing; PostgreSQL's own files lie in its folder postgres */
  dataDir: string
  /** loopback port; a free one when not given */
  port?: number
  tuning?: Tuning
}

interface Secrets {
  admin: string
  role: string
}

/**
 * Our own PostgreSQL on a data folder: made on first use (role and database anju, random passwords in the
 * folder, 0600), repaired after a crash, ended with this process. Refuses with an Obstacle, among others when
 * another process uses the folder.
 */
export async function openCluster({ dataDir, port, tuning = 'store' }: ClusterOptions): Promise<Cluster> {
  const top = resolve(dataDir)
  ensureFolder(top)
  const lock = join(top, 'cluster.lock')
  const holder = acquireLock(lock)
  if (holder) throw folderInUse(top, holder)
  try {
    const folder = join(top, 'postgres')
    const user = findRunUser(folder)
    const binaries = findPostgresBinaries(user)
    if (!existsSync(folder)) {
      await makeCluster(top, folder, { user, binaries }, tuning)
    }
    refuseForeign(folder)
    const place: ServerLocation = {
      folder,
      path: reachablePath(user, folder),
      user,
      binaries,
      log: rotateLog(top),
    }
    await stopOrphan(place)
    const secrets = readSecrets(folder) ?? (await renewSecrets(place))
    return await runCluster(place, top, lock, secrets, port, tuning)
  } catch (error) {
    releaseLock(lock)
    throw error
  }
}

/** The cluster that runs on a data folder, whoever started it; undefined when none does. */
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
  wished: number | undefined,
  tuned: Tuning,
): Promise<Cluster> {
  const set = postgresSettings(tuned)
  for (let attempt = 0; ; attempt++) {
    const port = wished ?? (await findFreePort())
    try {
      const child = await startPostmaster(place, port, set)
      let closing: Promise<void> | undefined
      const lost = new Promise<string>(tell => {
        child.once('exit', (code, signal) => {
          if (!closing) {
            tell(
              `数据库意外停止（${signal ?? code}），日志在 ${place.log}。重新启动即可，已提交的数据不会丢失。`,
            )
          }
        })
      })
      const close = async () => {
        await stopPostmaster(child, place)
        releaseLock(lock)
      }
      return {
        ...addressOf(port, secrets),
        dataDir: top,
        urlOf: database => buildUrl(ROLE, secrets.role, port, database),
        lost,
        close: () => (closing ??= close()),
      }
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error
      if (wished !== undefined) throw new StartupError(`数据库端口 ${wished} 已被占用，请换一个端口。`)
      if (attempt > 5) throw new StartupError('找不到可用的本机端口来启动数据库。')
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
    `数据目录 ${top} 正被另一个安居服务使用（进程 ${holder}${where}）。请先停止它，或用 --data 指定别的目录。`,
  )
}

function ensureFolder(top: string): void {
  try {
    mkdirSync(top, { recursive: true })
    const probe = join(top, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new StartupError(
      `数据目录 ${top} 不能写入（${(error as Error).message}）。请检查权限和磁盘，或用 --data 指定别的目录。`,
    )
  }
}

function refuseForeign(folder: string): void {
  let version: string
  try {
    version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EACCES') {
      throw new StartupError(
        `数据目录 ${folder} 属于另一个系统用户（uid ${statSync(folder).uid}），请用当初创建它的用户启动。`,
      )
    }
    throw new StartupError(`目录 ${folder} 不是 PostgreSQL 数据目录。请移走它，或用 --data 指定别的目录。`)
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

/**
 * Everything happens in a draft folder that gets its name at the end: a killed first start leaves no half
 * cluster.
 */
async function makeCluster(
  top: string,
  folder: string,
  { user, binaries }: Pick<ServerLocation, 'user' | 'binaries'>,
  tuned: Tuning,
): Promise<void> {
  const draft = join(top, 'postgres.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  changeOwner(draft, user)
  const place: ServerLocation = { folder: draft, path: reachablePath(user, draft), user, binaries, log: '' }
  // Builtin C.UTF-8 sorts and folds the same on every system; trigrams of Chinese also want a UTF-8 character
  // type.
  const words = ['C.UTF-8', 'en_US.UTF-8', 'C']
  for (const [at, ctype] of words.entries()) {
    const args = [
      '-D',
      place.path,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      `--lc-ctype=${ctype}`,
    ]
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
    if (tuned === 'test') {
      args.push('--no-sync', '--no-data-checksums')
    }
    const { status, stderr } = await runProcess(binaries.initdb, args, {
      ...user,
      cwd: draft,
      env: CLEAN_ENV,
    })
    if (status === 0) break
    if (at < words.length - 1) continue
    throw new StartupError(`数据库初始化失败：\n${lastLines(stderr)}\n请检查磁盘空间和目录 ${top} 的权限。`)
  }
  writeFileSync(join(draft, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  // Every database is a copy of this one. Row-level security keeps LIKE from an index unless it leaks
  // nothing, which only a superuser may declare;
  // it can fail on its pattern alone, never on a row's text.
  await runSingleUser(
    place,
    'template1',
    ['textlike', 'texticlike'].map(name => `alter function pg_catalog.${name}(text, text) leakproof`),
  )
  await renewSecrets(place, [
    `create role ${ROLE} login nosuperuser nobypassrls createdb`,
    `create database ${ROLE} owner ${ROLE}`,
  ])
  renameSync(draft, folder)
}

function secretFilePath(folder: string): string {
  return join(folder, 'anju.json')
}

function readSecrets(folder: string): Secrets | undefined {
  try {
    return JSON.parse(readFileSync(secretFilePath(folder), 'utf8')) as Secrets
  } catch {
    return undefined
  }
}

/** New passwords by single-user mode, which asks for none: also the way back when the file was lost. */
async function renewSecrets(place: ServerLocation, first: string[] = []): Promise<Secrets> {
  const secrets = { admin: randomBytes(24).toString('hex'), role: randomBytes(24).toString('hex') }
  const statements = [
    ...first,
    `alter role postgres password '${secrets.admin}'`,
    `alter role ${ROLE} password '${secrets.role}'`,
  ]
  await runSingleUser(place, 'postgres', statements)
  const file = secretFilePath(place.folder)
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  chmodSync(file, 0o600)
  changeOwner(file, place.user)
  return secrets
}

/** Statements as superuser on a cluster that does not run, where no password is asked. */
async function runSingleUser(
  place: ServerLocation,
  database: string,
  statements: readonly string[],
): Promise<void> {
  const args = [
    '--single',
    '-D',
    place.path,
    '-c',
    'exit_on_error=on',
    '-c',
    'log_min_messages=error',
    '-c',
    'log_min_error_statement=panic',
    database,
  ]
  const input = statements.map(statement => `${statement};\n`).join('')
  const { status, stderr } = await runProcess(
    place.binaries.postgres,
    args,
    { ...place.user, cwd: place.folder, env: CLEAN_ENV },
    input,
  )
  if (status !== 0) throw new StartupError(`数据库初始设置失败：\n${lastLines(stderr)}`)
}

/** A loopback port nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done, fail) => probe.once('error', fail).listen(0, '127.0.0.1', done))
  const { port } = probe.address() as AddressInfo
  await new Promise(done => probe.close(done))
  return port
}
