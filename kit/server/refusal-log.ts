import type { Id } from '#kit/domain/id.ts'
import type { Refused } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import { sql, type Database } from './db.ts'
import type { Scope } from './scope.ts'

/** Refusals of one operator at one call within one minute: one audit row. */
interface RefusalSum {
  readonly minute: number
  readonly ownerId: Id
  readonly time: Date
  /** The row's id, once it is written. */
  readonly row: Promise<number | undefined>
  times: number
  writtenTimes: number
}

type RefusalApp = Pick<App, 'database' | 'clock' | 'log'>

const minuteMs = 60_000
const flushIntervalMs = 5_000

/** The first refusal of its minute is written at once. */
async function insertRow(
  database: Database,
  scope: Scope,
  route: string,
  refused: Refused,
  time: Date,
): Promise<number | undefined> {
  const row = await database.tx(scope.ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into audit_log (
        owner_id, create_time, operator_id, operator_name, ip, request_id, action, entity, project_code, after,
        reason
      )
      values (
        ${scope.ownerId}, ${time}, ${scope.operatorId}, ${scope.name}, ${scope.ip}, ${scope.requestId},
        'refused', ${route}, ${scope.projectCode || null}, '{"times": 1}', ${refused.message}
      )
      returning id
    `),
  )
  return row?.id
}

/**
 * Steps outside somebody's rights or data domain (PERM-6), in sums: somebody who tries thousands leaves one
 * row a minute for each call, with how often. The first is written before it is answered, the count within
 * seconds; a process that dies loses the last seconds of a count, never the row.
 */
export class RefusalLog {
  readonly #app: RefusalApp
  readonly #sums = new Map<string, RefusalSum>()
  #timer: NodeJS.Timeout | undefined

  constructor(app: RefusalApp) {
    this.#app = app
  }

  async record(scope: Scope, route: string, refused: Refused): Promise<void> {
    const { database, clock, log } = this.#app
    const key = `${scope.ownerId}:${scope.operatorId}:${route}`
    const now = clock()
    const minute = Math.floor(now / minuteMs)
    const known = this.#sums.get(key)
    if (known?.minute === minute) {
      known.times++
      return
    }
    if (known) {
      this.#write(known).catch((err: unknown) => log.warn({ err }, 'refusals not counted'))
    }
    const time = new Date(now)
    const row = insertRow(database, scope, route, refused, time).catch((err: unknown) => {
      log.warn({ err }, 'refusal not audited')
      return undefined
    })
    this.#sums.set(key, { minute, ownerId: scope.ownerId, time, row, times: 1, writtenTimes: 1 })
    this.#timer ??= setInterval(() => void this.flush(), flushIntervalMs).unref()
    await row
  }

  async #write(sum: RefusalSum): Promise<void> {
    const { times } = sum
    const id = await sum.row
    if (id === undefined || times === sum.writtenTimes) return
    sum.writtenTimes = times
    await this.#app.database
      .tx(sum.ownerId, tx =>
        tx.execute(sql`
          update audit_log
          set after = ${JSON.stringify({ times })}::jsonb
          where owner_id = ${sum.ownerId} and create_time = ${sum.time} and id = ${id}
        `),
      )
      .catch((err: unknown) => this.#app.log.warn({ err }, 'refusals not counted'))
  }

  /** Writes the counts, and forgets minutes that are over. */
  async flush(): Promise<void> {
    const minute = Math.floor(this.#app.clock() / minuteMs)
    const sums = [...this.#sums]
    for (const [key, sum] of sums) {
      if (sum.minute !== minute) {
        this.#sums.delete(key)
      }
    }
    await Promise.all(sums.map(([, sum]) => this.#write(sum)))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.flush()
  }
}

const logs = new WeakMap<App, RefusalLog>()

/** The log of an app, made on first need. */
export function refusalLogOf(app: App): RefusalLog {
  const known = logs.get(app)
  if (known) return known
  const log = new RefusalLog(app)
  logs.set(app, log)
  return log
}
