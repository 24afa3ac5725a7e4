import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { findLanesWithCommands } from '#modules/parking-lanes/server/public.ts'

/** How often the commands of all lanes that wait here are looked for: one statement for each company. */
const everyMs = 250

interface Waiting {
  readonly ownerId: Id
  readonly laneId: Id
  /** Whether there is one; no where the time is up or the server stops. */
  readonly end: (hasCommand: boolean) => void
}

/** Cameras whose poll is kept open until there is something to do. */
class CommandWait {
  readonly #app: App
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(app: App) {
    this.#app = app
  }

  /** True as soon as the lane has a command; false after `ms` without one. */
  wait(ownerId: Id, laneId: Id, ms: number): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => waiting.end(false), ms).unref()
    const waiting: Waiting = {
      ownerId,
      laneId,
      end: hasCommand => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        resolve(hasCommand)
      },
    }
    this.#waiting.add(waiting)
    this.#schedule()
    return promise
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#waiting.forEach(waiting => waiting.end(false))
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed || !this.#waiting.size) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#release()
        .catch((err: unknown) => this.#app.log.warn({ err }, 'commands of lanes could not be read'))
        .finally(() => this.#schedule())
        .catch(() => {})
    }, everyMs).unref()
  }

  async #release(): Promise<void> {
    const byCompany = Map.groupBy(this.#waiting, ({ ownerId }) => ownerId)
    for (const [ownerId, lanes] of byCompany) {
      const laneIds = [...new Set(lanes.map(({ laneId }) => laneId))]
      const found = await findLanesWithCommands(this.#app.database.reader(ownerId), ownerId, laneIds)
      lanes.filter(({ laneId }) => found.includes(laneId)).forEach(waiting => waiting.end(true))
    }
  }
}

const waits = new WeakMap<App, CommandWait>()

export function commandWaitOf(app: App): CommandWait {
  const known = waits.get(app)
  if (known) return known
  const wait = new CommandWait(app)
  waits.set(app, wait)
  return wait
}

/** Lets go of every camera that waits. */
export const closeCommandWait = (app: App): void => waits.get(app)?.close()
