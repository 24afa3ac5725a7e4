import { defined } from '#kit/domain/defined.ts'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { isAlive } from '../process-identity.ts'
import { StartupError, lastLines } from './startup-error.ts'
import type { RunUser } from './run-user.ts'
import { errorCode } from '../database-error.ts'

export interface ServerLocation {
  /** the PostgreSQL data folder as this process names it */
  folder: string
  /** the same folder as the run user reaches it from inside */
  path: string
  user: RunUser
  binaries: Binaries
  log: string
}

/** Nothing of the caller's environment (PGPORT, PGDATA, LD_PRELOAD …) reaches PostgreSQL. */
export const CLEAN_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * PostgreSQL becomes the direct child; a twice forked watcher waits at our end of a pipe and asks for a fast
 * shutdown when this process dies, by whatever signal. It looks at postmaster.pid first: the number may
 * belong to another by then.
 */
const WATCHDOG_SCRIPT = `exec 3<&0 </dev/null
( ( read -r _ <&3; read -r pid <"$0/postmaster.pid" && [ "$pid" = $$ ] && kill -INT $$ ) >/dev/null 2>&1 & )
exec "$@" 3<&-`

export interface RunningServer {
  pid: number
  port: number
}

/** The server that runs on the folder (ready or not), from its postmaster.pid; undefined when none lives. */
export function findRunningServer(folder: string): (RunningServer & { ready: boolean }) | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!(pid > 0) || !isAlive(pid) || !servesFolder(pid, folder, lines[1] ?? '')) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/**
 * A stale file may name a process that is something else today, and a copied one the server of the folder it
 * was copied from. Whose working directory we may not see is known by the path that the file gives.
 */
function servesFolder(pid: number, folder: string, statedPath: string): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    try {
      const isPostgres = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
      return isPostgres && (statedPath === '/proc/self/cwd' || statedPath === realpathSync(folder))
    } catch {
      return false
    }
  }
}

/**
 * Stops a server whose owner is gone: fast shutdown, after half a minute an immediate one (the next start
 * recovers).
 */
export async function stopOrphan(place: ServerLocation): Promise<void> {
  const orphan = findRunningServer(place.folder)
  if (!orphan) return
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ]
  for (const [signal, waitMs] of steps) {
    sendSignal(place, orphan.pid, signal)
    for (let waited = 0; waited < waitMs; waited += 20) {
      if (!findRunningServer(place.folder)) return
      await pause(20)
    }
  }
  throw new StartupError(
    `数据目录 ${dirname(place.folder)} 上遗留的数据库进程 ${orphan.pid} 停不下来，请手工结束它后重试。`,
  )
}

function sendSignal(place: ServerLocation, pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    const control = place.binaries.initdb.replace(/initdb(\.exe)?$/, 'pg_ctl$1')
    const mode = signal === 'SIGQUIT' ? 'immediate' : 'fast'
    spawnSync(control, ['stop', '-D', place.folder, '-m', mode, '-W'], { stdio: 'ignore' })
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** The postmaster refused its port: another one may be tried. */
export class PortTaken extends Error {
  override message = '数据库端口被其他程序占用'
}

/** Starts the server and waits until it answers, however long crash recovery takes. */
export async function startPostmaster(
  place: ServerLocation,
  port: number,
  set: Record<string, string>,
): Promise<ChildProcess> {
  if (!findRunningServer(place.folder)) {
    clearForeignPid(place.folder)
  }
  for (let attempt = 0; ; attempt++) {
    const log = openSync(place.log, 'a')
    const from = fstatSync(log).size
    const child = spawnPostmaster(place, port, set, log)
    closeSync(log)
    // A backend of a killed server may outlive it by a moment and holds the shared memory.
    const output = await waitUntilReady(child, place, from)
    if (output === undefined) return child
    if (/Address already in use|could not bind/.test(output)) throw new PortTaken()
    if (/pre-existing shared memory block/.test(output) && attempt < 50) {
      await pause(200)
      continue
    }
    if (/lock file "postmaster.pid" already exists/.test(output)) {
      throw new StartupError(
        `数据目录 ${dirname(place.folder)} 正被另一个数据库进程使用。请先停止它，或用 --data 指定其他目录。`,
      )
    }
    throw new StartupError(`数据库启动失败，日志在 ${place.log}，最后几行是：\n${lastLines(output)}`)
  }
}

function spawnPostmaster(
  place: ServerLocation,
  port: number,
  set: Record<string, string>,
  log: number,
): ChildProcess {
  const flags = Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', place.path, '-p', String(port), ...flags]
  const spawnOptions = { ...place.user, cwd: place.folder, env: CLEAN_ENV, detached: true }
  const child =
    process.platform === 'win32'
      ? spawn(place.binaries.postgres, args, {
          ...spawnOptions,
          env: process.env,
          stdio: ['ignore', log, log],
        })
      : spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, place.path, place.binaries.postgres, ...args], {
          ...spawnOptions,
          stdio: ['pipe', log, log],
        })
  // The pipe's only use is to close when we die; it must not keep us alive, nor report an error.
  child.unref()
  const pipe = child.stdin as (NodeJS.WritableStream & { unref?: () => void }) | null
  pipe?.unref?.()
  pipe?.on('error', () => {})
  return child
}

/** Undefined once the server is ready; what it wrote to the log when it ended instead. */
async function waitUntilReady(
  child: ChildProcess,
  place: ServerLocation,
  from: number,
): Promise<string | undefined> {
  let fault = ''
  child.once('error', error => (fault = error.message))
  for (;;) {
    if (fault) return fault
    if (child.exitCode !== null || child.signalCode !== null) {
      return (
        readFileSync(place.log).subarray(from).toString('utf8') ||
        `exit code ${child.exitCode ?? child.signalCode}`
      )
    }
    const running = findRunningServer(place.folder)
    if (running?.pid === child.pid && running?.ready) return undefined
    await pause(10)
  }
}

/**
 * PostgreSQL believes a stale file whose number lives again under the same user: such a one is taken away.
 */
function clearForeignPid(folder: string): void {
  const file = join(folder, 'postmaster.pid')
  let pid = 0
  try {
    pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  } catch {
    return
  }
  if (pid > 0 && isAlive(pid)) {
    rmSync(file, { force: true })
  }
}

/** Fast shutdown; resolves when the process is gone. */
export async function stopPostmaster(child: ChildProcess, place: ServerLocation): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.ref()
  sendSignal(place, defined(child.pid), 'SIGINT')
  const quitTimer = setTimeout(() => sendSignal(place, defined(child.pid), 'SIGQUIT'), 60_000)
  await exited
  clearTimeout(quitTimer)
  child.stdin?.destroy()
}
