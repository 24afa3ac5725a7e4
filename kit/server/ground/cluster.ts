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
import { postgresBinaries } from './binaries.ts'
import { lockHolder, releaseLock, takeLock } from './lock.ts'
import { Obstacle, tail } from './obstacle.ts'
import {
  PortTaken,
  QUIET_ENV,
  runningOn,
  startPostmaster,
  stopOrphan,
  stopPostmaster,
  type Place,
} from './postmaster.ts'
import { runToEnd } from './run.ts'
import { settings, type Tuning } from './settings.ts'
import { give, pathFor, runUser } from './user.ts'

const ROLE = 'anju'
const MAJOR = '18'

export interface Reach {
  /** database anju as role anju: what the product uses */
  url: string
  /** database postgres as superuser: for care of the cluster only */
  adminUrl: string
  port: number
}

export interface Cluster extends Reach {
  dataDir: string
  /** the same role, another database of the cluster */
  urlOf(database: string): string
  /** resolves with a Chinese reason if the server ends without close() */
  lost: Promise<string>
  /** fast shutdown, waits; safe to call twice */
  close(): Promise<void>
}

export interface ClusterWish {
  /** made when missing; PostgreSQL's own files lie in its folder postgres */
  dataDir: string
  /** loopback port; a free one when not given */
  port?: number
  tuned?: Tuning
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
export async function openCluster({ dataDir, port, tuned = 'store' }: ClusterWish): Promise<Cluster> {
  const top = resolve(dataDir)
  makeFolder(top)
  const lock = join(top, 'cluster.lock')
  const holder = takeLock(lock)
  if (holder) throw inUse(top, holder)
  try {
    const folder = join(top, 'postgres')
    const user = runUser(folder)
    const binaries = postgresBinaries(user)
    if (!existsSync(folder)) {
      await makeCluster(top, folder, { user, binaries }, tuned)
    }
    refuseForeign(folder)
    const place: Place = { folder, path: pathFor(user, folder), user, binaries, log: freshLog(top) }
    await stopOrphan(place)
    const secrets = readSecrets(folder) ?? (await renewSecrets(place))
    return await run(place, top, lock, secrets, port, tuned)
  } catch (error) {
    releaseLock(lock)
    throw error
  }
}

/** The cluster that runs on a data folder, whoever started it; undefined when none does. */
export function findCluster(dataDir: string): Reach | undefined {
  const folder = join(resolve(dataDir), 'postgres')
  const running = runningOn(folder)
  const secrets = running?.ready ? readSecrets(folder) : undefined
  return running && secrets ? reach(running.port, secrets) : undefined
}

/** The process that holds a data folder open, 0 when none. */
export function clusterOwner(dataDir: string): number {
  return lockHolder(join(resolve(dataDir), 'cluster.lock'))
}

async function run(
  place: Place,
  top: string,
  lock: string,
  secrets: Secrets,
  wished: number | undefined,
  tuned: Tuning,
): Promise<Cluster> {
  const set = settings(tuned)
  for (let attempt = 0; ; attempt++) {
    const port = wished ?? (await freePort())
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
        ...reach(port, secrets),
        dataDir: top,
        urlOf: database => urlTo(ROLE, secrets.role, port, database),
        lost,
        close: () => (closing ??= close()),
      }
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error
      if (wished !== undefined) throw new Obstacle(`数据库端口 ${wished} 已被占用，请换一个端口。`)
      if (attempt > 5) throw new Obstacle('找不到可用的本机端口来启动数据库。')
    }
  }
}

function urlTo(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
}

function reach(port: number, secrets: Secrets): Reach {
  return {
    url: urlTo(ROLE, secrets.role, port, ROLE),
    adminUrl: urlTo('postgres', secrets.admin, port, 'postgres'),
    port,
  }
}

function inUse(top: string, holder: number): Obstacle {
  const port = runningOn(join(top, 'postgres'))?.port
  const where = port ? `，数据库端口 ${port}` : ''
  return new Obstacle(
    `数据目录 ${top} 正被另一个安居服务使用（进程 ${holder}${where}）。请先停止它，或用 --data 指定别的目录。`,
  )
}

function makeFolder(top: string): void {
  try {
    mkdirSync(top, { recursive: true })
    const probe = join(top, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new Obstacle(
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
      throw new Obstacle(
        `数据目录 ${folder} 属于另一个系统用户（uid ${statSync(folder).uid}），请用当初创建它的用户启动。`,
      )
    }
    throw new Obstacle(`目录 ${folder} 不是 PostgreSQL 数据目录。请移走它，或用 --data 指定别的目录。`)
  }
  if (version !== MAJOR) {
    throw new Obstacle(
      `数据目录 ${folder} 是 PostgreSQL ${version} 的，本程序自带 ${MAJOR}。请用原来的版本备份（npm run backup），再恢复到新目录。`,
    )
  }
}

function freshLog(top: string): string {
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
  { user, binaries }: Pick<Place, 'user' | 'binaries'>,
  tuned: Tuning,
): Promise<void> {
  const draft = join(top, 'postgres.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  give(draft, user)
  const place: Place = { folder: draft, path: pathFor(user, draft), user, binaries, log: '' }
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
    const { status, stderr } = await runToEnd(binaries.initdb, args, { ...user, cwd: draft, env: QUIET_ENV })
    if (status === 0) break
    if (at < words.length - 1) continue
    throw new Obstacle(`数据库初始化失败：\n${tail(stderr)}\n请检查磁盘空间和目录 ${top} 的权限。`)
  }
  writeFileSync(join(draft, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  // Every database is a copy of this one. Row-level security keeps LIKE from an index unless it leaks
  // nothing, which only a superuser may declare;
  // it can fail on its pattern alone, never on a row's text.
  await single(
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

function secretFile(folder: string): string {
  return join(folder, 'anju.json')
}

function readSecrets(folder: string): Secrets | undefined {
  try {
    return JSON.parse(readFileSync(secretFile(folder), 'utf8')) as Secrets
  } catch {
    return undefined
  }
}

/** New passwords by single-user mode, which asks for none: also the way back when the file was lost. */
async function renewSecrets(place: Place, first: string[] = []): Promise<Secrets> {
  const secrets = { admin: randomBytes(24).toString('hex'), role: randomBytes(24).toString('hex') }
  const statements = [
    ...first,
    `alter role postgres password '${secrets.admin}'`,
    `alter role ${ROLE} password '${secrets.role}'`,
  ]
  await single(place, 'postgres', statements)
  const file = secretFile(place.folder)
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  chmodSync(file, 0o600)
  give(file, place.user)
  return secrets
}

/** Statements as superuser on a cluster that does not run, where no password is asked. */
async function single(place: Place, database: string, statements: readonly string[]): Promise<void> {
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
  const { status, stderr } = await runToEnd(
    place.binaries.postgres,
    args,
    { ...place.user, cwd: place.folder, env: QUIET_ENV },
    input,
  )
  if (status !== 0) throw new Obstacle(`数据库初始设置失败：\n${tail(stderr)}`)
}

/** A loopback port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done, fail) => probe.once('error', fail).listen(0, '127.0.0.1', done))
  const { port } = probe.address() as AddressInfo
  await new Promise(done => probe.close(done))
  return port
}
