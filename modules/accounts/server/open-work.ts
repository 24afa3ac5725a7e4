import type { Id } from '#kit/domain/id.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/**
 * A kind of unfinished work of an account: how much there is, and how another account takes it over (PERM-8).
 */
export interface OpenWorkKind {
  /** As people name it: `工单`. */
  readonly what: string
  readonly count: (tx: Pick<Tx, 'one'>, scope: Scope, operator: Id) => Promise<number>
  readonly handOver: (tx: Tx, scope: Scope, from: Id, to: Id) => Promise<void>
}

/** Some unfinished work of one account. */
export interface OpenWork {
  readonly what: string
  readonly count: number
  readonly handOver: OpenWorkKind['handOver']
}

const openWorkKinds: OpenWorkKind[] = []

/** A module with records that name the person in charge registers them here, once, while it is loaded. */
export const registerOpenWork = (kind: OpenWorkKind): void => {
  openWorkKinds.push(kind)
}

/** The unfinished work of an account, without the kinds of which there is none. */
export async function listOpenWork(tx: Pick<Tx, 'one'>, scope: Scope, operator: Id): Promise<OpenWork[]> {
  const work: OpenWork[] = []
  for (const { what, handOver, count: countOf } of openWorkKinds) {
    const count = await countOf(tx, scope, operator)
    if (count > 0) {
      work.push({ what, count, handOver })
    }
  }
  return work
}

/** `工单 3 项、抄表 1 项`. */
export const describeOpenWork = (work: readonly OpenWork[]): string =>
  work.map(({ what, count }) => `${what} ${count} 项`).join('、')
