import type { Id } from '#kit/domain/id.ts'
import { periodAfterColumn } from './actions.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import {
  addFen,
  formatYuan,
  maxFen,
  minFen,
  negateFen,
  sumFen,
  subtractFen,
  asFen,
  type Fen,
} from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { bill, type Bill as BillRow } from '../contract/bill.ts'
import { type billAfterRefund } from '../contract/choices.ts'
import { refusalOf } from '../domain/actions.ts'
import { comparePayOrder, type OwedBill } from '../domain/allocation.ts'
import { lateUnpaid, unpaidPrincipal, type BillChange } from '../domain/bill.ts'
import { applyPayment, applyRefund, type SettledAmount } from '../domain/settlement.ts'
import { releaseLinks } from './bill-links.ts'
import { computeLateFees, findBillRules, findBillRulesByIds } from './late-fee.ts'
import { findRoundOffs, type RefundBooking } from './refund-booking.ts'
import { redirectToWholes } from './split-ledger.ts'
import { toBill, writeBills } from './stored-bill.ts'
import { lockRelations } from './bill-lock.ts'

/** A bill with what it owes on a day, its late fee computed for that day (PAY-1). */
export interface PayableBill {
  readonly row: BillRow
  readonly owed: OwedBill
  /** The bill is settled when its principal is paid (本金缴清即结清), as its fee item says. */
  readonly principalSettles: boolean
}

const toOwedBill = (row: BillRow, lateDue: Fen, itemSort: number): OwedBill => {
  const owed = { ...toBill(row), lateDue }
  return {
    id: row.id,
    dueDate: row.dueDate,
    begin: row.beginDate,
    itemSort,
    principal: unpaidPrincipal(owed),
    late: maxFen(0, lateUnpaid(owed)),
  }
}

/**
 * Bills of the caller's domain with what they owe on a day, in the order in which payments are allocated
 * (PAY-10). `lock`: locks them, for a transaction that books money.
 */
export async function payableBills(
  db: Db,
  scope: Scope,
  ids: readonly Id[],
  asOf: Day,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<PayableBill[]> {
  const distinctIds = [...new Set(ids)]
  // Sent together and answered in order: the rules are read once the bills are locked.
  const [rows, ruleOf] = await Promise.all([
    findByIds(db, bill, scope, distinctIds, { lock }),
    findBillRulesByIds(db, scope.ownerId, distinctIds),
  ])
  if (rows.length !== distinctIds.length) return refuse('有账单已被删除，请刷新后重试')
  const late = await computeLateFees(db, scope.ownerId, rows, asOf, ruleOf)
  return rows
    .map(row => ({
      row,
      owed: toOwedBill(row, late.get(row.id) ?? row.lateFeeDue, ruleOf(row).sort),
      principalSettles: ruleOf(row).principalSettles,
    }))
    .toSorted((a, b) => comparePayOrder(a.owed, b.owed))
}

/** Why a bill cannot be paid now; undefined when it can. `order` may pay the bills that it holds itself. */
export const payRefusal = (row: BillRow, now: Moment, order?: Id): string | undefined =>
  refusalOf(
    'pay',
    {
      ...toBill(row),
      ...(order !== undefined && row.lockOrderId === order ? { lockedUntil: undefined } : {}),
    },
    { now },
  )

/**
 * Holds bills for a payment order until a moment (PAY-1, BILL-3). Refuses with the first bill that cannot be
 * paid. `list` must come from `payableBills` with `lock`.
 */
export async function holdBills(
  tx: Tx,
  scope: Scope,
  list: readonly PayableBill[],
  order: Id,
  until: Moment,
  now: Moment,
): Promise<void> {
  for (const { row } of list) {
    const refusal = payRefusal(row, now, order)
    if (refusal) refuse(`${row.sourceName} ${row.feeItemName}（${row.billNo}）：${refusal}`)
  }
  await tx.execute(
    sql`
      update bill
      set lock_order_id = ${order}, lock_until = ${until}
      where owner_id = ${scope.ownerId} and id = any(${list.map(s => s.row.id)})
    `,
  )
}

/** Releases all bills that an order holds. May run any number of times. */
export const releaseBills = (tx: Tx, ownerId: Id, order: Id): Promise<number> =>
  tx.execute(
    sql`
      update bill
      set lock_order_id = null, lock_until = null
      where owner_id = ${ownerId} and lock_order_id = ${order}
    `,
  )

/** The record of the paying module that a booking belongs to. */
export interface MoneySource {
  readonly type: string
  readonly id: Id
}

/**
 * The part of a payment for one bill: principal, late fee, and the rounding discount `off` (抹零, PAY-14), in
 * fen.
 */
export interface Allocation {
  readonly billId: Id
  readonly principal: Fen
  readonly late: Fen
  readonly off?: Fen
}

/** What goes back of one bill, with what refunds that abolish it together with this one let off before. */
export interface RefundAllocation extends Allocation {
  readonly letOff?: SettledAmount | undefined
}

interface LedgerEntry {
  readonly billId: Id
  readonly principal: Fen
  readonly late: Fen
  readonly off?: Fen | undefined
  readonly waived?: Fen | undefined
}

const toLedgerRow = (entry: LedgerEntry) => ({
  bill_id: entry.billId,
  principal: formatYuan(entry.principal),
  late: formatYuan(entry.late),
  off: formatYuan(entry.off ?? 0),
  waived: formatYuan(entry.waived ?? 0),
})

/** Ledger entries as a CTE of the statement that writes the bills. */
const insertEntriesSql = (
  scope: Scope,
  day: Day,
  from: MoneySource,
  list: readonly LedgerEntry[],
): RawBuilder<unknown> =>
  sql`moved as (
    insert into bill_move (
      owner_id, bill_id, day, principal, late_fee, off, waived, ref_type, ref_id, create_by
    )
    select ${scope.ownerId}::bigint, r.bill_id, ${day}::date, r.principal, r.late, r.off, r.waived,
      ${from.type}, ${from.id}::integer, ${scope.operatorId}::bigint
    from json_to_recordset(${JSON.stringify(list.map(toLedgerRow))}::json) as r(
      bill_id bigint, principal numeric, late numeric, off numeric, waived numeric
    )
    returning 1
  )`

/**
 * Books a payment (PAY-4) on bills from `payableBills` with `lock`: late fee as of the day, paid principal
 * and late fee, pay state, release of the hold, months and ledger entries. Throws RangeError when a bill
 * would get more than it owes. The caller books each of its records once.
 */
export async function bookPayment(
  tx: Tx,
  scope: Scope,
  list: readonly PayableBill[],
  allocations: readonly Allocation[],
  booking: {
    readonly day: Day
    readonly at: Moment
    readonly from: MoneySource
    readonly waiveLeft?: boolean
  },
): Promise<void> {
  const billById = new Map(list.map(s => [s.row.id, s]))
  const changed = allocations.map(allocation => {
    const { row, owed, principalSettles } = defined(billById.get(allocation.billId))
    const before = toBill(row)
    const now = {
      ...before,
      lateDue: addFen(owed.late, before.latePaid, before.lateWaived),
      discount: addFen(before.discount, allocation.off ?? 0),
    }
    const change: BillChange = {
      lateDue: now.lateDue,
      discount: now.discount,
      ...applyPayment(now, allocation, { principalSettles, waiveLeft: booking.waiveLeft ?? false }),
    }
    return { row, change, payTime: booking.at }
  })
  await writeBills(
    tx,
    scope,
    changed,
    [],
    insertEntriesSql(
      scope,
      booking.day,
      booking.from,
      allocations.map((allocation, i) => ({
        ...allocation,
        waived: subtractFen(
          defined(changed[i]).change.lateWaived ?? defined(changed[i]).row.lateFeeWaived,
          defined(changed[i]).row.lateFeeWaived,
        ),
      })),
    ),
  )
}

/**
 * Books a refund of a payment or of a part of it (REF-2, REF-5). `after`: the bills are owed again,
 * abolished, or stay paid. Returns what was rounded off and is owed again. Refuses when a bill cannot take
 * it.
 */
export async function bookRefund(
  tx: Tx,
  scope: Scope,
  refunds: readonly RefundAllocation[],
  after: ChoiceOf<typeof billAfterRefund>,
  booking: RefundBooking,
): Promise<Fen> {
  const redirected = await redirectToWholes(tx, scope.ownerId, refunds)
  const ids = redirected.map(t => t.billId)
  const abolishes = after === 'abolished'
  if (abolishes) {
    await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = any(${ids})`)
  }
  const rows = await findByIds(tx, bill, scope, ids, { lock: true })
  const billById = new Map(rows.map(r => [r.id, r]))
  const ruleOf = await findBillRules(tx, scope.ownerId, rows)
  const offByBill =
    after === 'kept' ? new Map<Id, Fen>() : await findRoundOffs(tx, scope.ownerId, booking.completed)
  const allocations = redirected.map(t => {
    const discount = billById.get(t.billId)?.discountAmount ?? asFen(0)
    return { ...t, off: minFen(offByBill.get(t.billId) ?? asFen(0), discount) }
  })
  const changed = allocations.map(allocation => {
    const row = billById.get(allocation.billId)
    if (!row) return refuse('有账单已被删除，不能退款；请联系管理员')
    const change = applyRefund(toBill(row), allocation, after, ruleOf(row))
    return typeof change === 'string' ? refuse(`${row.billNo}：${change}`) : { row, change }
  })
  await writeBills(
    tx,
    scope,
    changed,
    abolishes
      ? [
          sql`abolish_time = ${scope.time}::timestamptz`,
          sql`abolish_by = ${scope.operatorId}`,
          sql`abolish_reason = ${booking.reason ?? null}`,
          periodAfterColumn(booking.periodAfter),
        ]
      : [],
    insertEntriesSql(
      scope,
      booking.day,
      booking.from,
      allocations.map(allocation => ({
        billId: allocation.billId,
        principal: negateFen(allocation.principal),
        late: negateFen(allocation.late),
        off: negateFen(allocation.off),
      })),
    ),
  )
  if (abolishes) {
    await releaseLinks(tx, scope, rows)
  }
  return sumFen(allocations.map(t => t.off))
}
