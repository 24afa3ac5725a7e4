import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { registerReceiptLineSource } from '#modules/payments/server/public.ts'
import { depositKind } from '../contract/choices.ts'

interface ReceiptLineRow {
  readonly recordId: Id
  readonly kind: number
  readonly depositNo: string
  readonly amount: string
  readonly balance: string
  readonly deducted: string
  readonly back: string
}

/** The deposits that records received or paid out, in their current state. Uses deposit_entry_record. */
registerReceiptLineSource(async (db, ownerId, records) =>
  (
    await db.rows<ReceiptLineRow>(sql`
      select e.record_id, d.kind::int, d.deposit_no, e.amount::text, d.balance::text, d.deducted::text,
        (d.refunded + d.converted)::text as back
      from deposit_entry e
      join deposit d on d.owner_id = ${ownerId} and d.id = e.deposit_id
      where e.owner_id = ${ownerId} and e.record_id = any(${[...records]})
      order by e.record_id
    `)
  ).map(row => ({
    recordId: row.recordId,
    item: `${labelOf(depositKind, defined(keyOf(depositKind, row.kind)))} ${row.depositNo}`,
    amount: parseYuan(row.amount),
    deducted: parseYuan(row.deducted),
    back: parseYuan(row.back),
    after: parseYuan(row.balance),
  })),
)
