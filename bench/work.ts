import type { Store } from '#kit/server/db.ts'
import type { Running } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { World } from '#kit/server/world.ts'

/** What a job is given when a bench runs it by hand, without the wait for a worker and without its checkpoints. */
export const atHand = (t: { readonly store: Store; readonly world: World }, scope: Scope): Running => ({
  store: t.store,
  scope,
  world: t.world,
  task: 0,
  signal: new AbortController().signal,
  progress: () => {},
  checkpoint: { read: () => undefined, save: async () => {} },
})
