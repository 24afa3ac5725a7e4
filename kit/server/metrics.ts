import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Call } from '#kit/contract/call.ts'
import { code } from '#kit/contract/wire.ts'
import type { Store } from './db.ts'

/** Figures of one process, per call by its own name, as Prometheus reads them. */
export interface Metrics {
  answered(call: Call, said: number, ms: number): void
  /** Not answered by the call: no session, no database, a defect. */
  failed(call: Call, ms: number): void
  text(): Promise<string>
  readonly type: string
  close(): void
}
interface Child { readonly took: { observe(seconds: number): void }; readonly codes: Map<number, { inc(): void }> }

export function openMetrics(store: Store, live: { count(): number } | undefined): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const took = new Histogram({ name: 'call_seconds', help: 'Seconds a call took', labelNames: ['call'], buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30], registers: [register] })
  const codes = new Counter({ name: 'call_answers_total', help: 'Answers by call and code', labelNames: ['call', 'code'], registers: [register] })
  register.registerMetric(new Gauge({ name: 'database_connections', help: 'Connections of the pool, and callers waiting for one', labelNames: ['state'], registers: [], collect() { const l = store.load(); this.set({ state: 'busy' }, l.busy); this.set({ state: 'idle' }, l.idle); this.set({ state: 'waiting' }, l.waiting) } }))
  register.registerMetric(new Gauge({ name: 'live_connections', help: 'Open browsers on the live connection', registers: [], collect() { this.set(live?.count() ?? 0) } }))
  // Labels are resolved once a call, not once a request.
  const children = new WeakMap<Call, Child>()
  const childOf = (c: Call): Child => { let x = children.get(c); if (!x) children.set(c, (x = { took: took.labels(c.at), codes: new Map() })); return x }
  const note = (call: Call, said: number, ms: number): void => {
    const c = childOf(call)
    c.took.observe(ms / 1000)
    let n = c.codes.get(said)
    if (!n) c.codes.set(said, (n = codes.labels(call.at, String(said))))
    n.inc()
  }
  return { answered: note, failed: (call, ms) => note(call, code.defect, ms), text: () => register.metrics(), type: register.contentType, close: () => register.clear() }
}
