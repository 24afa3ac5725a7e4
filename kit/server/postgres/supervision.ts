import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errorMessage } from '../database-error.ts'
import { isDiskFull } from '../disk-space.ts'
import { stopOrphan, stopPostmaster, type ServerLocation } from './postmaster.ts'

export interface Supervision {
  /** Resolves with a Chinese reason when the server is given up. */
  readonly lost: Promise<string>
  /** Fast shutdown, waits; also in the middle of a restart. */
  close(): Promise<void>
}

export interface SupervisionOptions {
  readonly place: ServerLocation
  /** Starts the server again under its address; rejects when that fails. */
  readonly start: () => Promise<ChildProcess>
  /** Called at every crash and restart, as text for the person at the console. */
  readonly report: (message: string) => void
  readonly clock?: () => number
}

/** After this many crashes within a minute, another start would not help. */
const maxDeaths = 3
const deathWindowMs = 60_000
/** How long to wait before a start, by the deaths within the window. */
const backoffMs = [200, 2_000]
/** A full disk is somebody's to clear: looked at again this often, however long that takes. */
const diskFullDelayMs = 5_000

const causeOf = (child: ChildProcess): string => String(child.signalCode ?? child.exitCode)

/** Watches over one server: whenever it dies without `close`, it is started again, with growing delays. */
class Supervisor {
  readonly lost: Promise<string>
  #giveUp: (reason: string) => void = () => {}
  readonly #options: SupervisionOptions
  readonly #clock: () => number
  readonly #closing = new AbortController()
  #child: ChildProcess
  #deaths: number[] = []
  #restarting: Promise<void> | undefined

  constructor(child: ChildProcess, options: SupervisionOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.lost = new Promise(resolve => {
      this.#giveUp = resolve
    })
    this.#child = child
    this.#watch(child)
  }

  #watch(child: ChildProcess): void {
    this.#child = child
    const onExit = (): void => {
      // Our end of its watcher's pipe; the watcher of a dead server has nothing left to do.
      child.stdin?.destroy()
      if (!this.#closing.signal.aborted) {
        this.#restarting = this.#restart(causeOf(child))
      }
    }
    if (child.exitCode !== null || child.signalCode !== null) {
      onExit()
    } else {
      child.once('exit', onExit)
    }
  }

  /** How long to wait before the next start; undefined when there will be none. */
  #nextDelay(): number | undefined {
    if (isDiskFull(dirname(this.#options.place.folder))) return diskFullDelayMs
    const now = this.#clock()
    this.#deaths = [...this.#deaths.filter(time => now - time < deathWindowMs), now]
    return this.#deaths.length >= maxDeaths ? undefined : backoffMs[this.#deaths.length - 1]
  }

  async #restart(firstCause: string): Promise<void> {
    const { start, report, place } = this.#options
    const { signal } = this.#closing
    for (let cause = firstCause; !signal.aborted;) {
      const delay = this.#nextDelay()
      if (delay === undefined) {
        this.#giveUp(
          `数据库一分钟内停止了 ${maxDeaths} 次（${cause}），不再重新启动，服务停止。` +
            `请查看日志 ${place.log}，检查内存与磁盘后再启动；已提交的数据不会丢失。`,
        )
        return
      }
      report(`数据库意外停止（${cause}），正在重新启动，日志在 ${place.log}`)
      await pause(delay, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        const child = await start()
        this.#restarting = undefined
        report('数据库已重新启动')
        this.#watch(child)
        return
      } catch (error) {
        cause = errorMessage(error)
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    if (this.#restarting) {
      // A start under way may recover for long: it is ended, and then fails or has just succeeded.
      await stopOrphan(this.#options.place)
      await this.#restarting
    }
    await stopPostmaster(this.#child, this.#options.place)
  }
}

export const superviseServer = (child: ChildProcess, options: SupervisionOptions): Supervision =>
  new Supervisor(child, options)
