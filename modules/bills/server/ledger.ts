import type { Day } from '#kit/domain/day.ts'
import { formatYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { bill, type Bill as BillRow } from '../contract/bill.ts'
import { billState, type billAfterRefund } from '../contract/choices.ts'
import { refusalOf } from '../domain/actions.ts'
import { comparePayOrder, type OwedBill } from '../domain/allocation.ts'
import { lateUnpaid, moneyFaults, unpaidPrincipal, withMoney, type BillChange } from '../domain/bill.ts'
import { applyPayment, applyRefund } from '../domain/settlement.ts'
import { lockRelations } from './bill-query.ts'
import { releaseLinks } from './bill-links.ts'
import { computeLateFees, findBillRules } from './late-fee.ts'
import { redirectToWholes } from './split-ledger.ts'
import { toBill, writeBills } from './stored-bill.ts'

/** A bill with what it owes on a day, its late fee reckoned on the spot (PAY-1). */
export interface PayableBill {
  readonly row: BillRow
  readonly owed: OwedBill
  /** 本金缴清即结清, as its item says. */ readonly principalSettles: boolean
}

const toOwedBill = (row: BillRow, lateDue: Fen, itemSort: number): OwedBill => {
  const b = { ...toBill(row), lateDue }
  return {
    id: row.id,
    dueDate: row.dueDate,
    begin: row.beginDate,
    itemSort,
    principal: unpaidPrincipal(b),
    late: Math.max(0, lateUnpaid(b)),
  }
}

/**
 * Bills of the caller's domain as they stand on a day, in the order in which money meets them (PAY-10).
 * `lock`: for a transaction that takes money.
 */
export async function payableBills(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  asOf: Day,
  lock = false,
): Promise<PayableBill[]> {
  const rows = await findByIds(db, bill, scope, [...new Set(ids)], lock)
  if (rows.length !== new Set(ids).size) return refuse('有账单已被删除，请刷新后重试')
  const ruleOf = await findBillRules(db, scope.ownerId, rows)
  const late = await computeLateFees(db, scope.ownerId, rows, asOf, ruleOf)
  return rows
    .map(row => ({
      row,
      owed: toOwedBill(row, late.get(row.id) ?? row.lateFeeDue, ruleOf(row).sort),
      principalSettles: ruleOf(row).principalSettles,
    }))
    .sort((a, b) => comparePayOrder(a.owed, b.owed))
}

/** Why a bill cannot be paid now; nothing when it can. `order`: the order that holds it may. */
export const payRefusal = (row: BillRow, now: Moment, order?: number): string | undefined =>
  refusalOf(
    'pay',
    {
      ...toBill(row),
      ...(order !== undefined && row.lockOrderId === order ? { lockedUntil: undefined } : {}),
    },
    { now },
  )

/**
 * Holds bills for an order until a moment (PAY-1, BILL-3). Refuses with the first bill that cannot be paid.
 * Bills must have been locked by `standings`.
 */
export async function holdBills(
  tx: Tx,
  scope: Scope,
  list: readonly PayableBill[],
  order: number,
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

/** Lets go of all bills that an order holds. May run any number of times. */
export const releaseBills = (tx: Tx, owner: number, order: number): Promise<number> =>
  tx.execute(
    sql`
      update bill
      set lock_order_id = null, lock_until = null
      where owner_id = ${owner} and lock_order_id = ${order}
    `,
  )

/** Where money came from or went to: the paying module's own record. */
export interface MoneySource {
  readonly type: string
  readonly id: number
}

/** What one bill gets: principal, late fee, and what is let off of its principal (抹零, PAY-14). */
export interface Allocation {
  readonly billId: number
  readonly principal: Fen
  readonly late: Fen
  readonly off?: Fen
}

const withoutPayState = ({
  payState: _,
  ...m
}: ReturnType<typeof toBill>): Omit<ReturnType<typeof toBill>, 'payState'> => m

interface LedgerEntry {
  readonly billId: number
  readonly principal: Fen
  readonly late: Fen
  readonly off?: Fen | undefined
  readonly waived?: Fen | undefined
}

/** As part of the statement that writes the bills. */
const insertEntriesSql = (
  scope: Scope,
  day: Day,
  from: MoneySource,
  list: readonly LedgerEntry[],
): RawBuilder<any> =>
  sql`moved as (
    insert into bill_move (
      owner_id, bill_id, day, principal, late_fee, off, waived, ref_type, ref_id, create_by
    )
    select ${scope.ownerId}::bigint, r.bill_id, ${day}::date, r.principal, r.late, r.off, r.waived,
      ${from.type}, ${from.id}::integer, ${scope.operatorId}::bigint
    from json_to_recordset(
      ${JSON.stringify(list.map(m => ({ bill_id: m.billId, principal: formatYuan(m.principal), late: formatYuan(m.late), off: formatYuan(m.off ?? 0), waived: formatYuan(m.waived ?? 0) })))}::json
    ) as r(bill_id bigint, principal numeric, late numeric, off numeric, waived numeric)
    returning 1
  )`

/**
 * Books a payment on bills that `standings` locked (PAY-4): late fee as of the day, principal and late fee
 * paid, pay state, lock let go, months, moves. Throws RangeError when a bill would get more than it owes:
 * allocation has gone wrong. Once per record: the caller's record is unique.
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
  const changed = allocations.map(t => {
    const { row, owed, principalSettles } = billById.get(t.billId)!
    const before = toBill(row)
    const now = {
      ...before,
      lateDue: owed.late + before.latePaid + before.lateWaived,
      discount: before.discount + (t.off ?? 0),
    }
    const change: BillChange = {
      lateDue: now.lateDue,
      discount: now.discount,
      ...applyPayment(now, t, { principalSettles, waiveLeft: booking.waiveLeft ?? false }),
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
      allocations.map((t, i) => ({
        ...t,
        waived:
          (changed[i]!.change.lateWaived ?? changed[i]!.row.lateFeeWaived) - changed[i]!.row.lateFeeWaived,
      })),
    ),
  )
}

/**
 * Takes a payment, or a part of it, back from bills (REF-2, REF-5): owed again, abolished with it, or kept as
 * paid. Refuses in words.
 */
export async function bookRefund(
  tx: Tx,
  scope: Scope,
  said: readonly Allocation[],
  after: ChoiceOf<typeof billAfterRefund>,
  booking: { readonly day: Day; readonly from: MoneySource; readonly reason?: string | undefined },
): Promise<void> {
  const allocations = await redirectToWholes(tx, scope.ownerId, said)
  const ids = allocations.map(t => t.billId)
  const abolishes = after === 'abolished'
  if (abolishes) {
    await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = any(${ids})`)
  }
  const rows = await findByIds(tx, bill, scope, ids, true)
  const billById = new Map(rows.map(r => [r.id, r]))
  const ruleOf = await findBillRules(tx, scope.ownerId, rows)
  const changed = allocations.map(t => {
    const row = billById.get(t.billId)
    if (!row) return refuse('有账单已被删除，不能退款；请联系管理员')
    const change = applyRefund(toBill(row), t, after, { principalSettles: ruleOf(row).principalSettles })
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
        ]
      : [],
    insertEntriesSql(
      scope,
      booking.day,
      booking.from,
      allocations.map(t => ({ billId: t.billId, principal: -t.principal, late: -t.late })),
    ),
  )
  if (abolishes) {
    await releaseLinks(tx, scope, rows)
  }
}

/**
 * Undoes what was booked from one source, a payment entered by mistake (PAY-21) or a refund taken back
 * (REF-6): bills stand as if it had never been. Answers what it was.
 */
export async function undoBooking(
  tx: Tx,
  scope: Scope,
  from: MoneySource,
  at?: Moment,
): Promise<readonly Allocation[]> {
  const entries = (
    await tx.rows<{ billId: number; principal: string; late: string; off: string; waived: string }>(
      sql`
        delete
        from bill_move
        where owner_id = ${scope.ownerId} and ref_type = ${from.type} and ref_id = ${from.id}
        returning bill_id, principal::text, late_fee::text as late, off::text, waived::text
      `,
    )
  ).map(m => ({
    billId: m.billId,
    principal: parseYuan(m.principal),
    late: parseYuan(m.late),
    off: parseYuan(m.off),
    waived: parseYuan(m.waived),
  }))
  const rows = await findByIds(
    tx,
    bill,
    scope,
    entries.map(m => m.billId),
    true,
  )
  const billById = new Map(rows.map(r => [r.id, r]))
  const ruleOf = await findBillRules(tx, scope.ownerId, rows)
  // A refund taken back leaves those that still stand.
  const refundedIds = entries.flatMap(m => (m.principal < 0 || m.late < 0 ? [m.billId] : []))
  const stillRefunded = new Set(
    refundedIds.length
      ? (
          await tx.rows<{ id: number }>(
            sql`
              select distinct bill_id as id
              from bill_move
              where owner_id = ${scope.ownerId} and bill_id = any(${refundedIds}) and ref_type = ${from.type}
            `,
          )
        ).map(r => r.id)
      : [],
  )
  await writeBills(
    tx,
    scope,
    entries.map(m => {
      const row = billById.get(m.billId) ?? refuse('有账单已被删除，不能撤销')
      const b = toBill(row)
      const money = {
        discount: b.discount - m.off,
        paidPrincipal: b.paidPrincipal - m.principal,
        latePaid: b.latePaid - m.late,
        lateWaived: b.lateWaived - m.waived,
      }
      const faults = moneyFaults(withoutPayState({ ...b, ...money }))
      if (faults.length || b.state !== 'normal')
        refuse(
          `${row.billNo} 此后已有变动（${faults[0] ?? `账单${labelOf(billState, b.state)}`}），不能撤销${b.state === 'split' ? '，请先合并还原' : ''}`,
        )
      return {
        row,
        change: {
          ...withMoney(b, money, ruleOf(row).principalSettles),
          ...(m.principal < 0 || m.late < 0
            ? { refundState: stillRefunded.has(m.billId) ? ('part' as const) : ('none' as const) }
            : {}),
        },
        payTime: at,
      }
    }),
  )
  return entries
}
