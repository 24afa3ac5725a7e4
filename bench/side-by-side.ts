import pg from 'pg'
import { castForTest } from '#kit/domain/fixtures.ts'
import type { Id } from '#kit/domain/id.ts'
import { openTestApp, type TestApp } from '#kit/server/fixtures/test-app.ts'
import type { Scope } from '#kit/server/scope.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { atMost, atMostLimit, percentile, type BenchRow } from './bench.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'

/** The product, signed in, and a bare connection to the same database. */
export interface SideBySide {
  readonly t: TestApp
  readonly token: string
  readonly bare: pg.Client
  close(): Promise<void>
}

export async function openSideBySide(url: string, ownerId: Id): Promise<SideBySide> {
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(
    `select set_config('app.owner_id', '${ownerId}', false), set_config('timezone', 'Asia/Shanghai', false)`,
  )
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const close = async (): Promise<void> => {
    await bare.end()
    await t.close()
  }
  return { t, token, bare, close }
}

/** Sends the statements of a handler once more on the bare connection. */
export async function replay(
  bare: pg.Client,
  label: string,
  captured: readonly CapturedStatement[],
): Promise<void> {
  for (const [i, statement] of captured.entries()) {
    await bare.query({ name: `${label} ${i}`, ...statement, rowMode: 'array' })
  }
}

/** Milliseconds of each round. */
export interface Timings {
  readonly ours: readonly number[]
  readonly raw: readonly number[]
}

/** Runs both in turn, so that both meet the same minute; the rounds of the warm-up don't count. */
export async function timeInTurn(
  { warmup, measured }: { readonly warmup: number; readonly measured: number },
  runOurs: () => Promise<unknown>,
  runRaw: () => Promise<unknown>,
): Promise<Timings> {
  const ours: number[] = []
  const raw: number[] = []
  for (let round = -warmup; round < measured; round++) {
    const started = performance.now()
    await runOurs()
    const half = performance.now()
    await runRaw()
    if (round >= 0) {
      ours.push(half - started)
      raw.push(performance.now() - half)
    }
  }
  return { ours, raw }
}

/**
 * A server that has run all morning is warm, so the first calls don't count; a p95 of fewer would be one
 * unlucky call.
 */
const searchRounds = { warmup: 30, measured: 100 }

interface Search<Input> {
  readonly label: string
  readonly handler: { run(input: Input, context: never): unknown }
  readonly input: Input
}

/** A search as a call to the product, against the statements of its handler on the bare connection. */
export async function timeSearch<Input>(
  { t, bare }: SideBySide,
  scope: Scope,
  { label, handler, input }: Search<Input>,
  callProduct: () => Promise<unknown>,
): Promise<Timings> {
  // The statements that the handler sends, caught on their way to the database.
  const { captured, db } = captureStatements(t.database.reader(scope.ownerId))
  const context = {
    db,
    scope,
    app: t.app,
    today: '2026-11-21',
    now: '2026-11-21 10:00:00',
    signal: new AbortController().signal,
  }
  await handler.run(input, castForTest(context))
  return timeInTurn(searchRounds, callProduct, () => replay(bare, label, captured))
}

/** The middle and the 95th percentile of both. */
export const percentileRows = (limit: number, label: string, { ours, raw }: Timings): BenchRow[] =>
  [0.5, 0.95].map(part =>
    atMost(limit, {
      label: `${label}，p${part * 100}`,
      ours: percentile(ours, part),
      raw: percentile(raw, part),
      unit: 'ms',
    }),
  )

/** What a list screen asks before its rows stand: its ratio, and the time within which they must be there. */
export const rowsAloneRows = (label: string, timings: Timings): BenchRow[] => [
  ...percentileRows(1.5, label, timings),
  atMostLimit(50, {
    label: `${label}，p95 的时限`,
    ours: percentile(timings.ours, 0.95),
    raw: percentile(timings.raw, 0.95),
    unit: 'ms',
  }),
]
