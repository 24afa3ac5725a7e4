import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { errorCode } from '../database-error.ts'

interface Holder {
  pid: number
  birth: string
}

/** Boot id and start tick: a process id alone is reused, in a restarted container nearly always. */
function readProcessBirth(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${tick}`
  } catch {
    return ''
  }
}

/** True while the process lives, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** The process id that holds the lock file, or 0 when nobody living does. */
export function findLockHolder(file: string): number {
  let holder: Holder
  try {
    holder = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
  return isAlive(holder.pid) && readProcessBirth(holder.pid) === holder.birth ? holder.pid : 0
}

/**
 * Takes the lock for this process: 0 when taken, else the holder's process id. A dead holder's lock is taken
 * over.
 */
export function acquireLock(file: string): number {
  const own = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(own, JSON.stringify({ pid: process.pid, birth: readProcessBirth(process.pid) }), {
    mode: 0o600,
  })
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // A link appears whole or not at all: nobody reads a half-written lock.
        linkSync(own, file)
        return 0
      } catch (error) {
        if (errorCode(error) !== 'EEXIST' || attempt > 20) throw error
      }
      const holder = findLockHolder(file)
      if (holder) return holder
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
}

export function releaseLock(file: string): void {
  if (findLockHolder(file) === process.pid) {
    rmSync(file, { force: true })
  }
}
