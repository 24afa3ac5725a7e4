import { defined } from '#kit/domain/defined.ts'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { StartupError } from './startup-error.ts'

/** The ordinary user PostgreSQL runs as when this process is root; null: as ourselves. */
export type RunUser = { uid: number; gid: number } | null

const OWN_NAME = 'anju'

function findUser(name: string): RunUser {
  const ids = ['-u', '-g'].map(flag => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (ids.some(id => id.status !== 0)) return null
  return { uid: Number(defined(ids[0]).stdout), gid: Number(defined(ids[1]).stdout) }
}

/**
 * PostgreSQL refuses to run as root. An existing data folder decides; else the user anju, else postgres, else
 * a system user anju is made, and nobody is the last resort.
 */
export function findRunUser(pgData: string): RunUser {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(pgData, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const ready = findUser(OWN_NAME) ?? findUser('postgres')
  if (ready) return ready
  const makers: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', OWN_NAME]],
    ['adduser', ['-S', '-D', '-H', OWN_NAME]],
  ]
  for (const [command, args] of makers) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) break
  }
  const made = findUser(OWN_NAME) ?? findUser('nobody')
  if (!made) {
    throw new StartupError(
      'PostgreSQL 不能以 root 身份运行，而系统中无法创建普通用户。请先执行 useradd --system anju，或改用普通用户启动，或用 DATABASE_URL 指定现有的数据库。',
    )
  }
  return made
}

export function changeOwner(path: string, user: RunUser): void {
  if (user) {
    chownSync(path, user.uid, user.gid)
  }
}

/**
 * A data folder that was copied without its owner and modes is the run user's again: PostgreSQL refuses any
 * other.
 */
export function adoptFolder(folder: string, user: RunUser): void {
  const { uid, mode } = statSync(folder)
  if (user && uid !== user.uid) {
    spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder], { stdio: 'ignore' })
  }
  if (process.platform !== 'win32' && (mode & 0o027) !== 0) {
    chmodSync(folder, 0o700)
  }
}

function canReach(user: RunUser, cwd: string, path: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1" && [ -w . ]', 'sh', path], {
    ...user,
    cwd,
    stdio: 'ignore',
  })
  return probe.status === 0
}

/**
 * The name under which the user reaches the folder. Below a closed parent (/root) the path is refused, but a
 * process started inside still reaches its working directory, so parents need not be opened.
 */
export function reachablePath(user: RunUser, folder: string): string {
  if (!user || canReach(user, '/', folder)) return folder
  if (canReach(user, folder, '/proc/self/cwd')) return '/proc/self/cwd'
  throw new StartupError(
    `数据目录 ${folder} 的上级目录不允许普通用户进入，PostgreSQL 无法使用。请用 --data 指定其他目录，例如 /var/lib/anju。`,
  )
}
