import { readdirSync, readFileSync } from 'node:fs'

/** In the environment of what a command runs: what has left its process group is found by it. */
export const markName = 'ANJU_AGENT_COMMAND'

/** What is found may have started others while it was looked for. */
const maxRounds = 20

const numberedProcesses = (): readonly string[] => readdirSync('/proc').filter(name => /^\d+$/.test(name))

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
    const found = numberedProcesses().filter(name => isMarked(name, entry))
    if (!found.length) return
    found.map(Number).forEach(kill)
  }
}

/** The parent of each process, of those that have ended too, and those that run. */
function readProcesses(): { readonly parents: ReadonlyMap<number, number>; readonly running: Set<number> } {
  const parents = new Map<number, number>()
  const running = new Set<number>()
  for (const pid of numberedProcesses()) {
    try {
      // After the name, which may hold any sign: the state and the parent.
      const [state, parent] =
        readFileSync(`/proc/${pid}/stat`, 'latin1')
          .split(/\) (?!.*\) )/)[1]
          ?.split(' ') ?? []
      parents.set(Number(pid), Number(parent))
      if (state !== 'Z') {
        running.add(Number(pid))
      }
    } catch {
      // It has ended.
    }
  }
  return { parents, running }
}

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let parent = parents.get(pid); parent !== undefined && parent > 1; parent = parents.get(parent)) {
    if (parent === ancestor) return true
  }
  return false
}

/** Ends all that is below a process, which stays. Linux only. */
export function killDescendants(ancestor: number | undefined): void {
  if (process.platform !== 'linux' || ancestor === undefined) return
  // What one round does not see, as it changed its parent just then, the next one does.
  let emptyRounds = 0
  for (let round = 0; round < maxRounds && emptyRounds < 2; round++) {
    const { parents, running } = readProcesses()
    const found = [...running].filter(pid => isBelow(pid, ancestor, parents))
    emptyRounds = found.length ? 0 : emptyRounds + 1
    found.forEach(kill)
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
