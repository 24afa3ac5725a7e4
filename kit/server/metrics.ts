import { defined } from '#kit/domain/defined.ts'
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { Call } from '#kit/contract/call.ts'
import { resultCode } from '#kit/contract/wire.ts'
import type { Database } from './db.ts'

/** Figures of one process, per call by its own name, as Prometheus reads them. */
export interface Metrics {
  recordAnswer(call: Call, said: number, ms: number): void
  /** Not answered by the call: no session, no database, a defect. */
  recordFailure(call: Call, ms: number): void
  text(): Promise<string>
  readonly type: string
  close(): void
}

interface CallStats {
  readonly codes: Map<number, number>
  readonly buckets: number[]
  sum: number
  count: number
}

/** Seconds. */
const bucketBounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function openMetrics(database: Database, live: { count(): number } | undefined): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  register.registerMetric(
    new Gauge({
      name: 'database_connections',
      help: 'Connections of the pool, and callers waiting for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const l = database.connectionStats()
        this.set({ state: 'busy' }, l.busy)
        this.set({ state: 'idle' }, l.idle)
        this.set({ state: 'waiting' }, l.waiting)
      },
    }),
  )
  register.registerMetric(
    new Gauge({
      name: 'live_connections',
      help: 'Open browsers on the live connection',
      registers: [],
      collect() {
        this.set(live?.count() ?? 0)
      },
    }),
  )
  // Counted by hand: a labelled histogram of the library costs each call more than its own routing.
  const calls = new Map<Call, CallStats>()
  const note = (call: Call, said: number, ms: number): void => {
    let f = calls.get(call)
    if (!f) {
      calls.set(call, (f = { codes: new Map(), buckets: bucketBounds.map(() => 0), sum: 0, count: 0 }))
    }
    const seconds = ms / 1000
    f.codes.set(said, (f.codes.get(said) ?? 0) + 1)
    f.sum += seconds
    f.count++
    for (let i = bucketBounds.length - 1; i >= 0 && seconds <= defined(bucketBounds[i]); i--) {
      f.buckets[i] = defined(f.buckets[i]) + 1
    }
  }
  const written = (): string => {
    const took: string[] = ['# HELP call_seconds Seconds a call took', '# TYPE call_seconds histogram']
    const answers: string[] = [
      '# HELP call_answers_total Answers by call and code',
      '# TYPE call_answers_total counter',
    ]
    for (const [c, f] of calls) {
      took.push(
        ...bucketBounds.map((b, i) => `call_seconds_bucket{call="${c.route}",le="${b}"} ${f.buckets[i]}`),
        `call_seconds_bucket{call="${c.route}",le="+Inf"} ${f.count}`,
        `call_seconds_sum{call="${c.route}"} ${f.sum}`,
        `call_seconds_count{call="${c.route}"} ${f.count}`,
      )
      for (const [said, n] of f.codes) {
        answers.push(`call_answers_total{call="${c.route}",code="${said}"} ${n}`)
      }
    }
    return [...took, ...answers, ''].join('\n')
  }
  return {
    recordAnswer: note,
    recordFailure: (call, ms) => note(call, resultCode.internalError, ms),
    text: async () => `${await register.metrics()}\n${written()}`,
    type: register.contentType,
    close: () => register.clear(),
  }
}
