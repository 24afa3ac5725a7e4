import { defineEvent } from '#kit/server/event.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** A relation that ends on a day before the end of its last bill (CYC-9). */
export interface EndedRelation {
  readonly id: Id
  readonly endDate: Day
  readonly billedTo: Day
  readonly sourceName: string
}

interface EndContext {
  readonly today: Day
  readonly now: Moment
  readonly reason: string | undefined
}

/**
 * What splits, abolishes or refunds bills past the end of a relation; once for all relations, in the
 * transaction that ends them.
 */
export const [onRelationEnd, publishRelationEnd] =
  defineEvent<[tx: Tx, scope: Scope, ended: readonly EndedRelation[], context: EndContext]>()

type BilledRelationQuery = (tx: Tx, ownerId: Id, ids: readonly Id[]) => Promise<Iterable<Id>>
const billedRelationQueries: BilledRelationQuery[] = []

/** Registers what finds the relations that have bills: they are ended instead of deleted. */
export const registerBilledRelations = (query: BilledRelationQuery): void => {
  billedRelationQueries.push(query)
}

export async function findBilledRelations(tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<ReadonlySet<Id>> {
  const out = new Set<Id>()
  for (const b of billedRelationQueries) {
    for (const id of await b(tx, ownerId, ids)) {
      out.add(id)
    }
  }
  return out
}

type OutdatedBillCounter = (db: Db, ownerId: Id, standardId: Id) => Promise<number>
const outdatedBillCounters: OutdatedBillCounter[] = []

/**
 * Registers what counts unpaid bills of a standard that were made by a price which no longer holds for their
 * days (FEE-6).
 */
export const registerOutdatedBillCounter = (counter: OutdatedBillCounter): void => {
  outdatedBillCounters.push(counter)
}

export async function countOutdatedBills(db: Db, ownerId: Id, standardId: Id): Promise<number> {
  let count = 0
  for (const p of outdatedBillCounters) {
    count += await p(db, ownerId, standardId)
  }
  return count
}

/** Live bills that use a price version, and how many of them have been paid, wholly or in part. */
export interface VersionUsage {
  readonly bills: number
  readonly paid: number
}

type VersionUsageQuery = (
  db: Db,
  ownerId: Id,
  standardId: Id,
  versions: readonly Id[],
  limit: number,
) => Promise<ReadonlyMap<Id, VersionUsage>>

const versionUsageQueries: VersionUsageQuery[] = []

/** Registers what finds the price versions that bills use (FEE-6), counting bills up to `most`. */
export const registerVersionUsage = (query: VersionUsageQuery): void => {
  versionUsageQueries.push(query)
}

export async function findVersionUsage(
  db: Db,
  ownerId: Id,
  standardId: Id,
  versions: readonly Id[],
  limit: number,
): Promise<ReadonlyMap<Id, VersionUsage>> {
  const out = new Map<Id, VersionUsage>()
  for (const query of versionUsageQueries) {
    for (const [id, n] of await query(db, ownerId, standardId, versions, limit)) {
      if (n.bills) {
        out.set(id, { bills: n.bills + (out.get(id)?.bills ?? 0), paid: n.paid + (out.get(id)?.paid ?? 0) })
      }
    }
  }
  return out
}
