import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** A relation whose charging ends on a day although it is billed further (CYC-9). */
export interface Ending {
  readonly id: number
  readonly endDate: Day
  readonly billedTo: Day
  readonly sourceName: string
}

interface Why {
  readonly today: Day
  readonly now: Moment
  readonly reason: string | undefined
}

type React = (tx: Tx, scope: Scope, ended: readonly Ending[], why: Why) => Promise<void>
const reacting: React[] = []

/**
 * Bills past the end are somebody else's to split, abolish or give back; called once for all relations, in
 * the transaction that ends them.
 */
export const whenEnding = (then: React): void => {
  reacting.push(then)
}

export async function tellEnding(tx: Tx, scope: Scope, ended: readonly Ending[], why: Why): Promise<void> {
  if (ended.length) {
    for (const r of reacting) {
      await r(tx, scope, ended, why)
    }
  }
}

type Bills = (tx: Tx, ownerId: number, ids: readonly number[]) => Promise<Iterable<number>>
const billing: Bills[] = []

/** Which of the relations have bills: they are not deleted but ended. */
export const relationsWithBills = (ask: Bills): void => {
  billing.push(ask)
}

export async function billed(tx: Tx, ownerId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const out = new Set<number>()
  for (const b of billing) {
    for (const id of await b(tx, ownerId, ids)) {
      out.add(id)
    }
  }
  return out
}

type Outdated = (db: Db, ownerId: number, standardId: number) => Promise<number>
const priced: Outdated[] = []

/**
 * How many open bills of a standard were made by a price that does not hold for their days any more (FEE-6).
 */
export const oldPrices = (ask: Outdated): void => {
  priced.push(ask)
}

export async function oldPriced(db: Db, ownerId: number, standardId: number): Promise<number> {
  let n = 0
  for (const p of priced) {
    n += await p(db, ownerId, standardId)
  }
  return n
}

/** Live bills made by a price version, and how many of them somebody has paid something on. */
export interface Use {
  readonly bills: number
  readonly paid: number
}

type Uses = (
  db: Db,
  ownerId: number,
  standardId: number,
  versions: readonly number[],
  most: number,
) => Promise<ReadonlyMap<number, Use>>

const using: Uses[] = []

/** Which of a standard's price versions bills were made by (FEE-6), counting to `most`. */
export const pricesUsed = (ask: Uses): void => {
  using.push(ask)
}

export async function usesOf(
  db: Db,
  ownerId: number,
  standardId: number,
  versions: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, Use>> {
  const out = new Map<number, Use>()
  for (const u of using) {
    for (const [id, n] of await u(db, ownerId, standardId, versions, most)) {
      if (n.bills) {
        out.set(id, { bills: n.bills + (out.get(id)?.bills ?? 0), paid: n.paid + (out.get(id)?.paid ?? 0) })
      }
    }
  }
  return out
}
