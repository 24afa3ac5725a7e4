import { defined } from '#kit/domain/defined.ts'
import type { Cluster } from '#kit/server/postgres/cluster.ts'

/** One measured promise: the product against the raw limit of the same machine in the same minute. */
export interface BenchRow {
  label: string
  ours: number
  raw: number
  unit: string
  /** product / raw */
  ratio: number
  /** the bar in words: '≤ 1.5 ×', '≥ 60 %', '≤ 3 s' */
  bar: string
  ok: boolean
}

export interface Bench {
  name: string
  run(ctx: BenchContext): Promise<BenchRow[]>
}

export interface BenchContext {
  /** a durable cluster of the bench's own */
  cluster: Cluster
  /** a migrated database without rows, taken away at the end */
  database(): Promise<string>
  /** a folder on the same disk, taken away at the end */
  folder(): string
  /** a line about what is under way, on the error output */
  log(line: string): void
}

/** Runs at least five times (the first extra run warms up and does not count); the middle value. */
export async function median(measure: () => Promise<number>, times = 5): Promise<number> {
  await measure()
  const values: number[] = []
  for (let run = 0; run < Math.max(5, times); run++) {
    values.push(await measure())
  }
  values.sort((a, b) => a - b)
  const middle = Math.floor(values.length / 2)
  return values.length % 2
    ? defined(values[middle])
    : (defined(values[middle - 1]) + defined(values[middle])) / 2
}

/** The value below which this part of the values lies. */
export const percentile = (values: readonly number[], part: number): number =>
  defined(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))])

/** Milliseconds that the work takes. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

type Measured = Pick<BenchRow, 'label' | 'ours' | 'raw' | 'unit'>

/** The product may be at most so many times the raw value (times, sizes). */
export function atMost(times: number, row: Measured): BenchRow {
  const ratio = row.ours / row.raw
  return { ...row, ratio, bar: `≤ ${times} ×`, ok: ratio <= times }
}

/** The product must reach at least that part of the raw value (rates). */
export function atLeast(part: number, row: Measured): BenchRow {
  const ratio = row.ours / row.raw
  return { ...row, ratio, bar: `≥ ${Math.round(part * 100)} %`, ok: ratio >= part }
}

/** The product against a fixed limit in its own unit; the raw value is shown beside it. */
export function atMostLimit(limit: number, row: Measured): BenchRow {
  return { ...row, ratio: row.ours / row.raw, bar: `≤ ${limit} ${row.unit}`, ok: row.ours <= limit }
}

/** How cost grows between two sizes: 1 is linear. The usual bar leaves a tenth for noise. */
export function measureGrowth(
  label: string,
  small: { rows: number; ms: number },
  large: { rows: number; ms: number },
  limit = 1.1,
): BenchRow {
  const exponent = Math.log(large.ms / small.ms) / Math.log(large.rows / small.rows)
  return {
    label: `${label}：增长指数`,
    ours: exponent,
    raw: 1,
    unit: '',
    ratio: exponent,
    bar: `≤ ${limit} ×`,
    ok: exponent <= limit,
  }
}
