import type { Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { payMethod } from '../contract/choices.ts'

type Fragment = RawBuilder<unknown>
type PayMethod = ChoiceOf<typeof payMethod>

const paidParts = sqlFile(import.meta.dirname, 'paid-parts.sql', ['ownerId', 'records', 'live_detail'])

/**
 * The parts of the records that `records` selects (`id`), each with the one method it was paid by:
 * record_id, detail_id, is_late_fee, fee_item_id, fee_item_name, method, side (1 or -1), amount.
 */
export const selectPaidParts = (ownerId: Id, records: Fragment): Fragment =>
  paidParts({ ownerId, records, live_detail: notDeleted('d') })

/** Records `t` that were paid by several tenders: `pay_method` names only one of them. */
export const isMixedRecord = sql`jsonb_array_length(t.methods) > 1`

export const isPaidBy = (column: Fragment, methods: readonly PayMethod[]): Fragment =>
  sql`${column} in ${codes(payMethod, ...methods)}`

/** Records `t` with a tender of one of the methods: a mixed payment is found by each of its own (PAY-15). */
export const methodConditions = (ownerId: Id, methods: readonly PayMethod[] | undefined): Fragment[] =>
  methods?.length
    ? [
        sql`case when ${isMixedRecord}
          then exists (
            select 1
            from pay_line l
            where l.owner_id = ${ownerId}
              and l.record_id = t.id
              and l.amount <> 0
              and ${isPaidBy(sql`l.method`, methods)}
          )
          else ${isPaidBy(sql`t.pay_method`, methods)}
        end`,
      ]
    : []
