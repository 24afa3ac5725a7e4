import { readFileSync, statSync } from 'node:fs'

/**
 * Who wrote a file that speaks of a running process: the process, and the folder it works in. A file that was
 * copied with its folder, or that has outlived its machine's boot, names nobody.
 */
export interface ProcessIdentity {
  readonly pid: number
  /** Boot id and start tick: a process id alone is reused, in a restarted container nearly always. */
  readonly birth: string
  /** Device and inode: a copy has others, a renamed folder keeps them. Earlier versions left none. */
  readonly folder?: string
}

function readProcessBirth(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${tick}`
  } catch {
    return ''
  }
}

function folderIdOf(folder: string): string {
  const { dev, ino } = statSync(folder)
  return `${dev}:${ino}`
}

/** This process at work in a folder. */
export const identifyOwnProcess = (folder: string): ProcessIdentity => ({
  pid: process.pid,
  birth: readProcessBirth(process.pid),
  folder: folderIdOf(folder),
})

/** True while the process lives, whichever user owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Whether the marked process lives and works in this very folder. */
export const isProcessRunning = ({ pid, birth, folder: marked }: ProcessIdentity, folder: string): boolean =>
  isAlive(pid) && readProcessBirth(pid) === birth && (marked === undefined || marked === folderIdOf(folder))
