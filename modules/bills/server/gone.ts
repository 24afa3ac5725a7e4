import { sql, type Tx } from '#kit/server/db.ts'
import type { Bill } from '../contract/bill.ts'

type Going = Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'>
type Then = (tx: Tx, owner: number, bills: readonly Going[]) => Promise<unknown>
const left: Then[] = [], came: Then[] = []
/** Called in the transaction in which bills cease to be live (abolished, deleted, replaced): who linked something to them lets it go. */
export const whenBillsGo = (then: Then): void => { left.push(then) }
/** Called in the transaction in which bills are live again. */
export const whenBillsReturn = (then: Then): void => { came.push(then) }

/** How far a relation is billed: to the last day of its live bills (C3.2). */
async function reckonBilled(tx: Tx, owner: number, bills: readonly Going[]): Promise<void> {
  const ids = [...new Set(bills.flatMap(b => (b.relationId ? [Number(b.relationId)] : [])))]
  if (ids.length) await tx.run(sql`update fee_relation r set billed_to = x.day from (select i.id, (select max(b.end_date) from bill b where b.owner_id = ${owner} and b.relation_id = i.id and b.delete_tag = 0 and b.state in (10, 20, 50)) as day from unnest(${ids}::bigint[]) as i(id)) x
    where r.owner_id = ${owner} and r.id = x.id and r.billed_to is distinct from x.day`)
}
/** In the transaction in which bills cease to be live: no statistics count them any more, relations are billed to the last day of what lives. */
export async function billsGo(tx: Tx, owner: number, bills: readonly Going[]): Promise<void> {
  if (!bills.length) return
  await tx.run(sql`delete from bill_month where owner_id = ${owner} and bill_id = any(${bills.map(b => b.id)})`)
  await reckonBilled(tx, owner, bills)
  for (const then of left) await then(tx, owner, bills)
}
/** In the transaction in which bills live again; their months have been written with them. */
export async function billsReturn(tx: Tx, owner: number, bills: readonly Going[]): Promise<void> {
  await reckonBilled(tx, owner, bills)
  for (const then of came) await then(tx, owner, bills)
}
