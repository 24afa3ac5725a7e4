import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { PeriodAfter } from '#modules/fees/server/public.ts'
import type { MoneySource } from './ledger.ts'

export interface RefundBooking {
  readonly day: Day
  readonly from: MoneySource
  readonly reason?: string | undefined
  readonly periodAfter?: PeriodAfter | undefined
  /** The payment, and those of its bills of which all has gone back with this refund. */
  readonly completed?: { readonly payment: MoneySource; readonly billIds: readonly Id[] }
}

/** What a payment rounded off of bills. Needs bill_move_ref. */
export async function findRoundOffs(
  tx: Tx,
  ownerId: Id,
  completed: RefundBooking['completed'],
): Promise<ReadonlyMap<Id, Fen>> {
  if (!completed?.billIds.length) return new Map()
  const { payment, billIds } = completed
  const rows = await tx.rows<{ billId: Id; off: string }>(sql`
    select bill_id, off::text
    from bill_move
    where owner_id = ${ownerId}
      and ref_type = ${payment.type}
      and ref_id = ${payment.id}
      and bill_id = any(${[...billIds]})
      and off > 0
  `)
  return new Map(rows.map(row => [row.billId, parseYuan(row.off)]))
}
