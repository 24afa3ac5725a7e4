import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { rowOf } from '#kit/server/stored.ts'
import { byIds } from '#kit/server/table.ts'
import { payDetail, payRecord } from '../contract/record.ts'
import { printedReceipts, receipts } from '../contract/receipt.ts'

export const receiptHandlers = [
  reads(receipts, async ({ ids }, { db, scope }) => {
    if (ids.length > 200) return refuse('一次最多打印 200 张收据')
    const list = await byIds(db, payRecord, scope, ids), details = (await db.rows<Record<string, unknown>>(sql`select * from pay_detail where owner_id = ${scope.ownerId} and record_id = any(${list.map(r => r.id)}) and delete_tag = 0 order by id`)).map(r => rowOf(payDetail, r))
    const by = Map.groupBy(details, d => d.recordId)
    return list.map(r => ({ ...r, details: by.get(r.id) ?? [] }))
  }),
  writes(printedReceipts, async ({ ids }, { tx, scope }) => {
    const list = await byIds(tx, payRecord, scope, ids, true)
    await tx.run(sql`update pay_record set print_count = print_count + 1 where owner_id = ${scope.ownerId} and id = any(${list.map(r => r.id)})`)
    await audit(tx, scope, list.map(r => ({ action: 'export', entity: 'payRecord', entityId: r.id, projectCode: r.projectCode, after: { printed: r.printCount + 1 } })))
    return { count: list.length }
  }),
]
