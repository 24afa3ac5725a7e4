import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/**
 * A kind of work that people have in hand: how much of it somebody has, and how it goes over to another
 * (PERM-8).
 */
export interface OpenWorkKind {
  readonly what: string
  readonly count: (tx: Pick<Tx, 'one'>, scope: Scope, operator: number) => Promise<number>
  readonly handOver: (tx: Tx, scope: Scope, from: number, to: number) => Promise<void>
}

const openWorkKinds: OpenWorkKind[] = []

/** A module whose records name the one who is to do them says so here, once, as it is loaded. */
export const registerOpenWork = (w: OpenWorkKind): void => {
  openWorkKinds.push(w)
}

/** What somebody has in hand, kinds without any left out. */
export async function listOpenWork(
  tx: Pick<Tx, 'one'>,
  scope: Scope,
  operator: number,
): Promise<{ work: OpenWorkKind; what: string; count: number }[]> {
  const all = []
  for (const work of openWorkKinds) {
    all.push({ work, what: work.what, count: await work.count(tx, scope, operator) })
  }
  return all.filter(w => w.count > 0)
}
