import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'

/**
 * A kind of unfinished work of an account: how much there is, and how another account takes it over (PERM-8).
 */
export interface OpenWorkKind {
  /** The name on the screen: `工单`. */
  readonly what: string
  readonly count: (tx: Pick<Tx, 'one'>, scope: Scope, operator: Id) => Promise<number>
  /** Refuses (`refuseReceiver`) who could not go on with some of it. */
  readonly handOver: (tx: Tx, scope: Scope, from: Id, to: Id) => Promise<void>
  /** What is worth knowing about the person who has taken over: more in hand than they should have. */
  readonly describeLoad?: (tx: Tx, scope: Scope, to: Id) => Promise<string | undefined>
}

/** Some unfinished work of one account. */
export interface OpenWork {
  readonly what: string
  readonly count: number
  readonly handOver: OpenWorkKind['handOver']
  readonly describeLoad?: OpenWorkKind['describeLoad']
}

const openWorkKinds: OpenWorkKind[] = []

/** A module with records that name the person in charge registers them here, once, while it is loaded. */
export const registerOpenWork = (kind: OpenWorkKind): void => {
  openWorkKinds.push(kind)
}

/** The unfinished work of an account, without the kinds of which there is none. */
export async function listOpenWork(tx: Pick<Tx, 'one'>, scope: Scope, operator: Id): Promise<OpenWork[]> {
  const work: OpenWork[] = []
  for (const { count: countOf, ...kind } of openWorkKinds) {
    const count = await countOf(tx, scope, operator)
    if (count > 0) {
      work.push({ ...kind, count })
    }
  }
  return work
}

/** `工单 3 项、抄表 1 项`. */
export const describeOpenWork = (work: readonly OpenWork[]): string =>
  work.map(({ what, count }) => `${what} ${count} 项`).join('、')

/**
 * In the transaction in which somebody has left permanently, the open work handed over: modules take the
 * account out of what it was named in for work to come.
 */
export const [onAccountLeft, publishAccountLeft] = defineEvent<[tx: Tx, scope: Scope, account: Id]>()

/** How many pieces of work a colleague cannot go on with, by the reason. */
export function refuseReceiver(name: string, what: string, reasons: readonly string[]): never {
  const counts = [...Map.groupBy(reasons, reason => reason)].map(
    ([reason, { length }]) => `${reason} ${length} 项`,
  )
  throw invalidField(
    'HandTo',
    `不能交接给「${name}」，其中 ${reasons.length} 项${what}无法办理：${counts.join('；')}。请另选交接人，或先将这些${what}改派他人`,
  )
}
