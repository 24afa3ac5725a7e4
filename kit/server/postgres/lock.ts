import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../database-error.ts'
import { isProcessRunning, identifyOwnProcess, type ProcessIdentity } from '../process-identity.ts'

/** The process id that holds the lock file; 0 when nobody living does, or only for the original folder. */
export function findLockHolder(file: string): number {
  let holder: ProcessIdentity
  try {
    holder = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
  return isProcessRunning(holder, dirname(file)) ? holder.pid : 0
}

/**
 * Takes the lock for this process: 0 when taken, else the holder's process id. A dead holder's lock is taken
 * over.
 */
export function acquireLock(file: string): number {
  const own = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(own, JSON.stringify(identifyOwnProcess(dirname(file))), { mode: 0o600 })
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
