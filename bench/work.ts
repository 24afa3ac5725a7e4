import { builder, type Db, type Store } from '#kit/server/db.ts'
import type { Running } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { World } from '#kit/server/world.ts'

/**
 * What a job is given when a bench runs it by hand, without the wait for a worker and without its
 * checkpoints.
 */
export const atHand = (t: { readonly store: Store; readonly world: World }, scope: Scope): Running => ({
  store: t.store,
  scope,
  world: t.world,
  task: 0,
  signal: new AbortController().signal,
  progress: () => {},
  checkpoint: { read: () => undefined, save: async () => {} },
})

export interface Said {
  readonly text: string
  readonly values: unknown[]
}

interface Sayable {
  compile(k: unknown): { sql: string; parameters: readonly unknown[] }
}

/**
 * The statements that a reader of the database is given, caught on their way; a `real` one is asked too,
 * without it every list is empty.
 */
export function catching(real?: Db): { readonly said: readonly Said[]; readonly db: Db } {
  const said: Said[] = []
  const take = (q: Sayable): void => {
    const { sql, parameters } = q.compile(builder())
    said.push({ text: sql, values: [...parameters] })
  }
  const db = {
    ...real,
    all: (...qs: Sayable[]) => (
      qs.forEach(take),
      real ? real.all(...(qs as never[])) : Promise.resolve([[], [{ total: 0 }]])
    ),
    rows: (q: Sayable) => (take(q), real ? real.rows(q as never) : Promise.resolve([])),
    one: (q: Sayable) => (take(q), real ? real.one(q as never) : Promise.resolve(undefined)),
  }
  return { said, db: db as unknown as Db }
}
