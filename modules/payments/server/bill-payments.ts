import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { recordState } from '../contract/choices.ts'

/**
 * The newest payment of each bill of which something may still go back, by the bill: where it is refunded.
 * Bills of which nothing is left are not in it.
 */
export async function findNewestPayments(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  billIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  if (!billIds.length) return new Map()
  const rows = await db.rows<{ billId: Id; recordId: Id }>(sql`
    select d.bill_id, max(r.id) as record_id
    from pay_detail d
    join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
    where d.owner_id = ${ownerId}
      and d.bill_id = any(${[...billIds]}::bigint[])
      and d.principal + d.late_fee > d.refunded_principal + d.refunded_late_fee
      and r.state in ${codes(recordState, 'normal', 'partRefunded')}
      and ${notDeleted('d')}
      and ${notDeleted('r')}
    group by d.bill_id
  `)
  return new Map(rows.map(({ billId, recordId }) => [billId, recordId]))
}
