import { sql, type Tx } from '#kit/server/db.ts'
import type { Bill } from '../contract/bill.ts'

/** In the transaction in which bills cease to be live: relations are billed to the last day of what lives (C3.2). */
export async function billsGo(tx: Tx, owner: number, bills: readonly Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'>[]): Promise<void> {
  const ids = [...new Set(bills.flatMap(b => (b.relationId ? [b.relationId] : [])))]
  if (ids.length) await tx.run(sql`update fee_relation r set billed_to = x.day from (select i.id, (select max(b.end_date) from bill b where b.owner_id = ${owner} and b.relation_id = i.id and b.delete_tag = 0 and b.state in (10, 20, 50)) as day from unnest(${ids}::bigint[]) as i(id)) x
    where r.owner_id = ${owner} and r.id = x.id and r.billed_to is distinct from x.day`)
}
