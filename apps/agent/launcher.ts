import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from './elapsed-time.ts'
import { exitCodes, log } from './exit-codes.ts'
import { programFolder, readReleases, rejectCandidate, writeReleases } from './releases.ts'
import { retryDelay, type Timings } from './timings.ts'

const goodRunMs = 60_000
/** Starts of a candidate: the second when this launcher itself was ended during the first. */
const candidateAttempts = 2

/** Exit codes after which another start does not help. */
const finalCodes: ReadonlySet<number> = new Set([
  exitCodes.refused,
  exitCodes.configuration,
  exitCodes.folderInUse,
])

/** Starts the program, the right version of it, again and again until it gets the signal to stop. */
export class Launcher {
  readonly #dataDir: string
  readonly #timings: Timings
  #child: ChildProcess | undefined
  readonly #stopping = new AbortController()

  constructor(dataDir: string, timings: Timings) {
    this.#dataDir = dataDir
    this.#timings = timings
  }

  /** The exit code, when the program has ended permanently. */
  async run(): Promise<number> {
    for (let attempt = 0; !this.#stopping.signal.aborted;) {
      const startedAt = monotonicMs()
      const code = await this.#runOnce()
      if (this.#stopping.signal.aborted) break
      const { candidate } = readReleases(this.#dataDir)
      if (code === exitCodes.update) {
        attempt = 0
      } else if (candidate && candidate.attempts > 0) {
        this.#reject('新版本启动后中断')
      } else if (finalCodes.has(code)) {
        return code
      } else {
        attempt = monotonicMs() - startedAt > goodRunMs ? 0 : attempt + 1
        const delay = retryDelay(attempt, this.#timings)
        log(`网关程序中断（${code}），${Math.ceil(delay / 1000)} 秒后重新启动`)
        await sleep(delay, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
    return exitCodes.stopped
  }

  stop(): void {
    this.#stopping.abort()
    this.#endChild()
  }

  #endChild(): NodeJS.Timeout {
    const child = this.#child
    child?.kill('SIGTERM')
    return setTimeout(() => child?.kill('SIGKILL'), 2 * this.#timings.killMs + 5000).unref()
  }

  #reject(reason: string): void {
    log(`${reason}，恢复原来的版本`)
    rejectCandidate(this.#dataDir, `${reason}，已恢复原来的版本`)
  }

  /** Counts the start on the disk first: a candidate that takes the machine down is not started for ever. */
  #countAttempt(): boolean {
    const releases = readReleases(this.#dataDir)
    if (!releases.candidate) return false
    const attempts = releases.candidate.attempts + 1
    if (attempts > candidateAttempts) {
      this.#reject('新版本多次启动中断')
      return false
    }
    writeReleases(this.#dataDir, { ...releases, candidate: { ...releases.candidate, attempts } })
    return true
  }

  async #runOnce(): Promise<number> {
    const isCandidate = this.#countAttempt()
    const folder = programFolder(this.#dataDir, readReleases(this.#dataDir))
    const child = fork(join(folder, 'apps/agent/program.ts'), [this.#dataDir], { execArgv: [], cwd: folder })
    this.#child = child
    let killTimer: NodeJS.Timeout | undefined
    const trialTimer = isCandidate
      ? setTimeout(() => {
          this.#reject(`新版本 ${Math.round(this.#timings.candidateMs / 1000)} 秒内未能连接服务器`)
          killTimer = this.#endChild()
        }, this.#timings.candidateMs)
      : undefined
    child.on('message', () => clearTimeout(trialTimer))
    const code = await new Promise<number>(resolve => {
      child.on('error', () => resolve(exitCodes.failed))
      child.on('exit', exitCode => resolve(exitCode ?? exitCodes.failed))
    })
    clearTimeout(trialTimer)
    clearTimeout(killTimer)
    this.#child = undefined
    // Ended by this launcher because it did not connect: the old version has to start.
    return killTimer ? exitCodes.update : code
  }
}
