import type { Id } from '#kit/domain/id.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { entryType } from '../contract/choices.ts'
import { registerReceiptLineSource } from '#modules/payments/server/public.ts'

interface ReceiptLineRow {
  readonly recordId: Id
  readonly item?: string
  readonly scoped: boolean
  readonly own: string
  readonly gift: string
  readonly after: string
}

/** What a top-up was for: the account, its gift and the balance afterwards. Uses prestore_entry_record. */
registerReceiptLineSource(async (db, ownerId, records) =>
  (
    await db.rows<ReceiptLineRow>(sql`
      select e.record_id, i.name as item, a.fee_item_id <> 0 as scoped,
        coalesce(sum(e.amount) filter (where not e.gift), 0)::text as own,
        coalesce(sum(e.amount) filter (where e.gift), 0)::text as gift,
        (
          (array_agg(e.balance_after order by e.id desc) filter (where not e.gift))[1] + coalesce(
            (array_agg(e.balance_after order by e.id desc) filter (where e.gift))[1], 0
          )
        )::text as after
      from prestore_entry e
      join prestore_account a on a.owner_id = ${ownerId} and a.id = e.account_id
      left join fee_item i on i.owner_id = ${ownerId} and i.id = a.fee_item_id
      where e.owner_id = ${ownerId}
        and e.record_id = any(${[...records]})
        and e.entry_type in ${codes(entryType, 'topUp', 'refund', 'gift')}
      group by e.record_id, e.account_id, i.name, a.fee_item_id
      order by e.record_id
    `)
  ).map(row => ({
    recordId: row.recordId,
    item: `${parseYuan(row.own) < 0 ? '预存退款' : '预存充值'}（${row.scoped ? `${row.item ?? ''}专用` : '通用'}）`,
    amount: parseYuan(row.own),
    after: parseYuan(row.after),
    ...(parseYuan(row.gift) ? { gift: parseYuan(row.gift) } : {}),
  })),
)
