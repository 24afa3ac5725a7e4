import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { refundState } from '../contract/choices.ts'
import type { Bill } from '../contract/bill.ts'
import { computeLateFees } from './late-fee.ts'

/**
 * When a paid and refunded bill is split, each half gets its share of those entries, so that its late fee
 * and its months know on which days the money was held (LATE-11). Shares of the running total, so that
 * payment and refund cancel out exactly. The whole keeps its own entries, for undoing.
 */
export async function splitLedgerEntries(
  tx: Tx,
  scope: Scope,
  wholeByHalf: Bill,
  halves: readonly Bill[],
  today: Day,
): Promise<void> {
  if (wholeByHalf.refundState === 'none') return
  const ownerId = scope.ownerId
  const [first, second] = halves.map(h => h.id)
  const part = formatYuan(defined(halves[0]).receivable)
  const all = formatYuan(wholeByHalf.receivable)
  await tx.execute(sql`
    with m as (
      select m.*, sum(principal) over w as p, sum(late_fee) over w as l
      from bill_move m
      where owner_id = ${ownerId} and bill_id = ${wholeByHalf.id}
      window w as (order by day, id)
    ),
      s as (
        select m.*,
          round(p * ${part}::numeric / ${all}::numeric, 2) - round(
            (p - principal) * ${part}::numeric / ${all}::numeric, 2
          ) as p1,
          round(l * ${part}::numeric / ${all}::numeric, 2) - round(
            (l - late_fee) * ${part}::numeric / ${all}::numeric, 2
          ) as l1
        from m
      )
    insert into bill_move (owner_id, bill_id, day, principal, late_fee, ref_type, ref_id, create_by)
    select ${ownerId}::bigint, h.id, s.day, case h.n when 1 then p1 else principal - p1 end,
      case h.n when 1 then l1 else late_fee - l1 end, 'split', ${wholeByHalf.id}::integer,
      ${scope.operatorId}::bigint
    from s
    cross join (values (1, ${first}::bigint), (2, ${second}::bigint)) as h(n, id)
    order by s.day, s.id
    returning 1
  `)
  const known = halves.map(h => ({ ...h, refundState: wholeByHalf.refundState }))
  const late = await computeLateFees(tx, ownerId, known, today)
  await tx.execute(
    sql`
      update bill b
      set refund_state = ${codeOf(refundState, wholeByHalf.refundState)}, late_fee_due = r.due
      from json_to_recordset(
        ${JSON.stringify(known.map(h => ({ id: h.id, due: formatYuan(late.get(h.id) ?? h.lateFeeDue) })))}::json
      ) as r(id bigint, due numeric)
      where b.owner_id = ${ownerId} and b.id = r.id
    `,
  )
}

/**
 * Moves the entries of the halves to the whole, one per source, and deletes the shares they had of the
 * whole's entries.
 */
export const mergeLedgerEntries = (
  tx: Tx,
  ownerId: Id,
  wholeByHalf: Id,
  halves: readonly Id[],
): Promise<number> =>
  tx.execute(sql`
    with removed as (
      delete
      from bill_move
      where owner_id = ${ownerId} and bill_id = any(${[...halves]}::bigint[])
      returning *
    )
    insert into bill_move (
      owner_id, bill_id, day, principal, late_fee, off, waived, ref_type, ref_id, create_time, create_by
    )
    select owner_id, ${wholeByHalf}::bigint, day, sum(principal), sum(late_fee), sum(off), sum(waived),
      ref_type, ref_id, min(create_time), min(create_by)
    from removed
    where ref_type <> 'split'
    group by owner_id, day, ref_type, ref_id
    returning 1
  `)

interface BookedAmount {
  readonly billId: Id
  readonly principal: Fen
  readonly late: Fen
}

/** Redirects amounts booked on merged halves to their whole. */
export async function redirectToWholes<T extends BookedAmount>(
  db: Db,
  ownerId: Id,
  bookings: readonly T[],
): Promise<T[]> {
  const rows = await db.rows<{
    asked: number
    id: Id
  }>(sql`
    with recursive w as (
      select b.id as asked, b.id, b.parent_id, b.delete_tag
      from bill b
      where b.owner_id = ${ownerId} and b.id = any(${bookings.map(t => t.billId)}::bigint[])
      union all
      select w.asked, p.id, p.parent_id, p.delete_tag
      from w
      join bill p on p.owner_id = ${ownerId} and p.id = w.parent_id
      where w.delete_tag <> 0
    )
    select asked, id
    from w
    where ${notDeleted()}
  `)
  const wholeByHalf = new Map(rows.map(r => [r.asked, r.id]))
  return [...Map.groupBy(bookings, t => wholeByHalf.get(t.billId) ?? t.billId)].map(
    ([billId, bookingsOfBill]) => ({
      ...defined(bookingsOfBill[0]),
      billId,
      principal: sumFen(bookingsOfBill.map(t => t.principal)),
      late: sumFen(bookingsOfBill.map(t => t.late)),
    }),
  )
}
