import { castForTest } from '#kit/domain/fixtures.ts'
import { queryBuilder, type Db, type Database, type Statement } from '#kit/server/db.ts'
import type { JobContext } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'

/**
 * What a job is given when a bench runs it by hand, without the wait for a worker and without its
 * checkpoints.
 */
export const jobContext = (
  t: { readonly database: Database; readonly app: App },
  scope: Scope,
): JobContext => ({
  database: t.database,
  scope,
  app: t.app,
  taskId: 0,
  signal: new AbortController().signal,
  reportProgress: () => {},
  checkpoint: { read: () => undefined, save: async () => {} },
})

export interface CapturedStatement {
  readonly text: string
  readonly values: unknown[]
}

interface Compilable {
  compile(k: unknown): { sql: string; parameters: readonly unknown[] }
}

/**
 * The statements that a reader of the database is given, caught on their way; a `real` one is asked too,
 * without it every list is empty.
 */
export function captureStatements(real?: Db): {
  readonly captured: readonly CapturedStatement[]
  readonly db: Db
} {
  const captured: CapturedStatement[] = []
  const take = (q: Compilable): void => {
    const { sql, parameters } = q.compile(queryBuilder())
    captured.push({ text: sql, values: [...parameters] })
  }
  const db = {
    ...real,
    all: (...qs: Compilable[]) => (
      qs.forEach(take),
      real ? real.all(...castForTest<[]>(qs)) : Promise.resolve([[], [{ total: 0 }]])
    ),
    rows: (q: Compilable) => (take(q), real ? real.rows(castForTest<Statement>(q)) : Promise.resolve([])),
    one: (q: Compilable) => (
      take(q),
      real ? real.one(castForTest<Statement>(q)) : Promise.resolve(undefined)
    ),
  }
  return { captured, db: castForTest<Db>(db) }
}
