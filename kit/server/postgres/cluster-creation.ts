import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { runProcess } from './child-process.ts'
import { leakproofStatements } from './leakproof.ts'
import { CLEAN_ENV, type ServerLocation } from './postmaster.ts'
import { adoptFolder, changeOwner, reachablePath, type RunUser } from './run-user.ts'
import type { Tuning } from './settings.ts'
import { StartupError, lastLines } from './startup-error.ts'

/** The product's role and database. */
export const ROLE = 'anju'

/** Passwords of the superuser and of the product's role. */
export interface Secrets {
  readonly admin: string
  readonly role: string
}

/** Builtin C.UTF-8 sorts and folds the same on every system; trigrams of Chinese also want a UTF-8 type. */
const characterTypes = ['C.UTF-8', 'en_US.UTF-8', 'C']

/** Runs initdb with the first character type that the system knows. */
async function initializeFolder(top: string, place: ServerLocation, tuning: Tuning): Promise<void> {
  let failure = ''
  for (const characterType of characterTypes) {
    const args = ['-D', place.path, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']
    args.push(`--lc-ctype=${characterType}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
    args.push('--no-instructions')
    if (tuning === 'test') {
      args.push('--no-sync', '--no-data-checksums')
    }
    const { status, stderr } = await runProcess(place.binaries.initdb, args, {
      ...place.user,
      cwd: place.folder,
      env: CLEAN_ENV,
    })
    if (status === 0) return
    failure = stderr
  }
  throw new StartupError(`数据库初始化失败：\n${lastLines(failure)}\n请检查磁盘空间和目录 ${top} 的权限。`)
}

interface ClusterOrigin {
  readonly tuning: Tuning
  /** A stopped cluster to begin with a copy of; one that cannot be used is done without. */
  readonly template?: string | undefined
}

/**
 * Everything happens in a draft folder that gets its name at the end: a killed first start leaves no half
 * cluster.
 */
export async function makeCluster(
  top: string,
  folder: string,
  { user, binaries }: Pick<ServerLocation, 'user' | 'binaries'>,
  { tuning, template }: ClusterOrigin,
): Promise<void> {
  const draft = join(top, 'postgres.new')
  clearDraft(draft, user)
  const place: ServerLocation = { folder: draft, path: reachablePath(user, draft), user, binaries, log: '' }
  if (template === undefined || !(await createFromTemplate(template, place))) {
    await createFromNothing(top, place, tuning)
  }
  renameSync(draft, folder)
}

function clearDraft(draft: string, user: RunUser): void {
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  changeOwner(draft, user)
}

async function createFromNothing(top: string, place: ServerLocation, tuning: Tuning): Promise<void> {
  await initializeFolder(top, place, tuning)
  writeFileSync(join(place.folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  // Every database is a copy of this one.
  await runSingleUser(place, 'template1', leakproofStatements)
  await renewSecrets(place, [
    `create role ${ROLE} login nosuperuser nobypassrls createdb`,
    `create database ${ROLE} owner ${ROLE}`,
  ])
}

/** A copy of the template with passwords of its own; false and nothing where that fails. */
async function createFromTemplate(template: string, place: ServerLocation): Promise<boolean> {
  const { folder, user } = place
  if (!existsSync(join(template, 'PG_VERSION'))) return false
  try {
    // The copy is adopted whole, and by its folder it is seen whether that has to be done.
    rmSync(folder, { recursive: true })
    await copyFolder(template, folder)
    rmSync(secretFilePath(folder), { force: true })
    adoptFolder(folder, user)
    await renewSecrets(place)
    await syncFolder(place)
    return true
  } catch {
    // It may be another user's, or incomplete: making a cluster from nothing reports what is wrong here.
    clearDraft(folder, user)
    return false
  }
}

/** By a process of its own where the system has one for it: there are thousands of files. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return cpSync(from, to, { recursive: true })
  await runChecked('/bin/cp', ['-R', from, to], { env: CLEAN_ENV })
}

/** A copy that survives a power cut, as what initdb makes does. */
async function syncFolder({ binaries, path, user, folder }: ServerLocation): Promise<void> {
  await runChecked(binaries.initdb, ['--sync-only', '-D', path], { ...user, cwd: folder, env: CLEAN_ENV })
}

async function runChecked(...[file, args, options]: Parameters<typeof runProcess>): Promise<void> {
  const { status, stderr } = await runProcess(file, args, options)
  if (status !== 0) throw new Error(stderr)
}

function secretFilePath(folder: string): string {
  return join(folder, 'anju.json')
}

export function readSecrets(folder: string): Secrets | undefined {
  try {
    return JSON.parse(readFileSync(secretFilePath(folder), 'utf8'))
  } catch {
    return undefined
  }
}

/** New passwords by single-user mode, which asks for none: also the way back when the file was lost. */
export async function renewSecrets(place: ServerLocation, first: string[] = []): Promise<Secrets> {
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
