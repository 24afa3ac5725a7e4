import { readdirSync, readFileSync } from 'node:fs'

/** In the environment of what a command runs: what has left its process group is found by it. */
export const markName = 'ANJU_AGENT_COMMAND'

/** What is found may have started others while it was looked for. */
const maxRounds = 20

const isMarked = (pid: string, entry: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry)
  } catch {
    // It has ended, or is another user's.
    return false
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function killFound(mark: string): void {
  const entry = `${markName}=${mark}`
  for (let round = 0; round < maxRounds; round++) {
    const found = readdirSync('/proc').filter(name => /^\d+$/.test(name) && isMarked(name, entry))
    if (!found.length) return
    found.map(Number).forEach(kill)
  }
}

/** A process that is just being started shows no environment for a moment: it is found by a later look. */
const laterLooksMs = [50, 250, 1000]

/** Ends every process that a command has started, also one of a session of its own. Linux only. */
export function killMarked(mark: string): void {
  if (process.platform !== 'linux') return
  killFound(mark)
  for (const ms of laterLooksMs) {
    setTimeout(() => killFound(mark), ms).unref()
  }
}
