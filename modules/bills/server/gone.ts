import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { billReadings, freeReadings } from '#modules/meters/server/public.ts'
import type { Bill } from '../contract/bill.ts'
import { ofRelation } from './of-relation.ts'
import { samePlace } from './same-place.ts'

type Going = Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'> & { readonly parentId?: number | undefined }
type Who = Pick<Scope, 'ownerId' | 'operatorId'>

/** How far a relation is billed: to the last day of its live bills, never before the day it came with (C3.2, CYC-4). */
async function reckonBilled(tx: Tx, owner: number, bills: readonly Going[]): Promise<void> {
  const ids = [...new Set(bills.flatMap(b => (b.relationId ? [b.relationId] : [])))]
  if (ids.length) await tx.run(sql`update fee_relation r set billed_to = greatest(x.day, r.run_floor), ${samePlace('r')} from (select i.id, (select max(b.end_date) from bill b where ${ofRelation('b', 'i')} and b.delete_tag = 0 and b.state in (10, 20, 50)) as day from fee_relation i where i.owner_id = ${owner} and i.id = any(${ids}::bigint[])) x
    where r.owner_id = ${owner} and r.id = x.id and r.billed_to is distinct from greatest(x.day, r.run_floor)`)
}
/** In the transaction in which bills cease to be live: no statistics count them, relations are billed to the last day of what lives, readings wait again (C3.2). */
export async function billsGo(tx: Tx, who: Who, bills: readonly Going[]): Promise<void> {
  if (!bills.length) return
  await tx.run(sql`delete from bill_month where owner_id = ${who.ownerId} and bill_id = any(${bills.map(b => b.id)})`)
  await reckonBilled(tx, who.ownerId, bills)
  await freeReadings(tx, who, bills.flatMap(b => (b.refType === 'reading' ? [b.id] : [])))
}
/** In the transaction in which bills live again; their months have been written with them. A half of a split leaves the reading with the whole. */
export async function billsReturn(tx: Tx, who: Who, bills: readonly Going[]): Promise<void> {
  await reckonBilled(tx, who.ownerId, bills)
  await billReadings(tx, who, bills.flatMap(b => (b.refType === 'reading' && b.refId && !b.parentId ? [{ readingId: b.refId, billId: b.id, billNo: b.billNo }] : [])))
}
