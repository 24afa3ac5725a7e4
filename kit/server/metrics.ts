import { defined } from '#kit/domain/defined.ts'
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { Call } from '#kit/contract/call.ts'
import type { Database } from './db.ts'
import { formatCounters } from './observation/counter.ts'
import { openDatabaseStatus, type DatabaseStatus } from './observation/database-status.ts'

/** Figures of one process, per call by its route, as Prometheus reads them. */
export interface Metrics {
  recordAnswer(call: Call, code: number, ms: number): void
  text(): Promise<string>
  readonly type: string
  close(): void
}

interface CallStats {
  readonly countByCode: Map<number, number>
  readonly buckets: number[]
  sum: number
  count: number
}

/** Seconds. */
const bucketBounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const newStats = (): CallStats => ({
  countByCode: new Map(),
  buckets: bucketBounds.map(() => 0),
  sum: 0,
  count: 0,
})

/** Counted by hand: a labelled histogram of the library costs each call more than its own routing. */
function recordCall(stats: CallStats, code: number, ms: number): void {
  const seconds = ms / 1000
  stats.countByCode.set(code, (stats.countByCode.get(code) ?? 0) + 1)
  stats.sum += seconds
  stats.count++
  for (let i = bucketBounds.length - 1; i >= 0 && seconds <= defined(bucketBounds[i]); i--) {
    stats.buckets[i] = defined(stats.buckets[i]) + 1
  }
}

function formatCallStats(statsByCall: ReadonlyMap<Call, CallStats>): string {
  const seconds = ['# HELP call_seconds Seconds a call took', '# TYPE call_seconds histogram']
  const answers = ['# HELP call_answers_total Answers by call and code', '# TYPE call_answers_total counter']
  for (const [{ route }, { buckets, count, sum, countByCode }] of statsByCall) {
    seconds.push(
      ...bucketBounds.map((bound, i) => `call_seconds_bucket{call="${route}",le="${bound}"} ${buckets[i]}`),
      `call_seconds_bucket{call="${route}",le="+Inf"} ${count}`,
      `call_seconds_sum{call="${route}"} ${sum}`,
      `call_seconds_count{call="${route}"} ${count}`,
    )
    for (const [code, answered] of countByCode) {
      answers.push(`call_answers_total{call="${route}",code="${code}"} ${answered}`)
    }
  }
  return [...seconds, ...answers, ''].join('\n')
}

interface StatusFigure {
  readonly name: string
  readonly help: string
  readonly isCounter?: boolean
  readonly read: (status: DatabaseStatus) => number
}

const statusFigures: readonly StatusFigure[] = [
  { name: 'tasks_waiting', help: 'Tasks that wait for a process', read: s => s.waitingTasks },
  { name: 'tasks_running', help: 'Tasks under way in any process', read: s => s.runningTasks },
  {
    name: 'tasks_oldest_waiting_seconds',
    help: 'Seconds that the oldest waiting task has waited',
    read: s => s.oldestWaitingSeconds,
  },
  { name: 'database_size_bytes', help: 'Size of the database', read: s => s.databaseBytes },
  {
    name: 'database_wal_bytes_total',
    help: 'Write-ahead log written',
    isCounter: true,
    read: s => s.walBytes,
  },
]

/** Figures of the installation, the same from every process. Absent while the database is away. */
function addDatabaseStatus(registry: Registry, database: Database): void {
  const readStatus = openDatabaseStatus(database)
  for (const { name, help, isCounter, read } of statusFigures) {
    const options = { name, help, registers: [] }
    const metric = isCounter
      ? new Counter({
          ...options,
          async collect() {
            const status = await readStatus()
            this.reset()
            this.inc(status ? read(status) : 0)
          },
        })
      : new Gauge({
          ...options,
          async collect() {
            const status = await readStatus()
            this.set(status ? read(status) : Number.NaN)
          },
        })
    registry.registerMetric(metric)
  }
}

function createRegistry(database: Database, live: { count(): number } | undefined): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(
    new Gauge({
      name: 'database_connections',
      help: 'Connections of the pool, and callers waiting for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const stats = database.connectionStats()
        this.set({ state: 'busy' }, stats.busy)
        this.set({ state: 'idle' }, stats.idle)
        this.set({ state: 'waiting' }, stats.waiting)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'database_connections_max',
      help: 'Connections that the pool may open',
      registers: [],
      collect() {
        this.set(database.connectionStats().max)
      },
    }),
  )
  addDatabaseStatus(registry, database)
  registry.registerMetric(
    new Gauge({
      name: 'live_connections',
      help: 'Open browsers on the live connection',
      registers: [],
      collect() {
        this.set(live?.count() ?? 0)
      },
    }),
  )
  return registry
}

export function openMetrics(database: Database, live: { count(): number } | undefined): Metrics {
  const registry = createRegistry(database, live)
  const statsByCall = new Map<Call, CallStats>()
  const record = (call: Call, code: number, ms: number): void => {
    const stats = statsByCall.get(call) ?? newStats()
    statsByCall.set(call, stats)
    recordCall(stats, code, ms)
  }
  return {
    recordAnswer: record,
    text: async () => `${await registry.metrics()}\n${formatCounters()}\n${formatCallStats(statsByCall)}`,
    type: registry.contentType,
    close: () => registry.clear(),
  }
}
