import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { parseYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { bill, type Bill as BillRow } from '../contract/bill.ts'
import { billState } from '../contract/choices.ts'
import { moneyFaults, withMoney, type BillMoney } from '../domain/bill.ts'
import { findBillRules } from './late-fee.ts'
import { toBill, writeBills, type BillUpdate } from './stored-bill.ts'
import { type Allocation, type MoneySource } from './ledger.ts'

interface BookedEntry {
  readonly billId: Id
  readonly principal: Fen
  readonly late: Fen
  readonly off: Fen
  readonly waived: Fen
}

const isRefund = (e: BookedEntry): boolean => e.principal < 0 || e.late < 0

/** Deletes the ledger entries of a source and returns them. */
async function deleteEntries(tx: Tx, ownerId: Id, from: MoneySource): Promise<BookedEntry[]> {
  const rows = await tx.rows<{
    billId: Id
    principal: string
    late: string
    off: string
    waived: string
  }>(sql`
    delete
    from bill_move
    where owner_id = ${ownerId} and ref_type = ${from.type} and ref_id = ${from.id}
    returning bill_id, principal::text, late_fee::text as late, off::text, waived::text
  `)
  return rows.map(row => ({
    billId: row.billId,
    principal: parseYuan(row.principal),
    late: parseYuan(row.late),
    off: parseYuan(row.off),
    waived: parseYuan(row.waived),
  }))
}

/** Bills that have other refunds of the same type of source, once one has been taken back. */
async function findStillRefunded(
  tx: Tx,
  ownerId: Id,
  from: MoneySource,
  entries: readonly BookedEntry[],
): Promise<ReadonlySet<Id>> {
  const refundedIds = entries.filter(isRefund).map(e => e.billId)
  if (!refundedIds.length) return new Set()
  const rows = await tx.rows<{ id: Id }>(sql`
    select distinct bill_id as id
    from bill_move
    where owner_id = ${ownerId} and bill_id = any(${refundedIds}) and ref_type = ${from.type}
  `)
  return new Set(rows.map(r => r.id))
}

/**
 * The money of a bill without a booking; refuses when the bill has changed since, so that it no longer adds
 * up.
 */
function moneyWithout(row: BillRow, entry: BookedEntry): Partial<BillMoney> {
  const current = toBill(row)
  const money = {
    discount: subtractFen(current.discount, entry.off),
    paidPrincipal: subtractFen(current.paidPrincipal, entry.principal),
    latePaid: subtractFen(current.latePaid, entry.late),
    lateWaived: subtractFen(current.lateWaived, entry.waived),
  }
  const { payState: _payState, ...amounts } = { ...current, ...money }
  const [fault] = moneyFaults(amounts)
  if (fault === undefined && current.state === 'normal') return money
  return refuse(
    `${row.billNo} 此后已有变动（${fault ?? `账单${labelOf(billState, current.state)}`}），不能撤销${current.state === 'split' ? '，请先合并还原' : ''}`,
  )
}

/**
 * Undoes all bookings of one source: a payment entered by mistake (PAY-21) or a refund taken back (REF-6).
 * Afterwards the bills are as they would be without it. `at`: the time of payment that bills get which are
 * paid again. Returns what had been booked.
 */
export async function undoBooking(
  tx: Tx,
  scope: Scope,
  from: MoneySource,
  at?: Moment,
): Promise<readonly Allocation[]> {
  const entries = await deleteEntries(tx, scope.ownerId, from)
  const rows = await findByIds(
    tx,
    bill,
    scope,
    entries.map(e => e.billId),
    { lock: true },
  )
  const billById = new Map(rows.map(r => [r.id, r]))
  const ruleOf = await findBillRules(tx, scope.ownerId, rows)
  const stillRefunded = await findStillRefunded(tx, scope.ownerId, from, entries)
  const updates = entries.map((entry): BillUpdate => {
    const row = billById.get(entry.billId) ?? refuse('有账单已被删除，不能撤销')
    const money = withMoney(toBill(row), moneyWithout(row, entry), ruleOf(row))
    const refundState = stillRefunded.has(entry.billId) ? 'part' : 'none'
    return { row, change: isRefund(entry) ? { ...money, refundState } : money, payTime: at }
  })
  await writeBills(tx, scope, updates)
  return entries
}
