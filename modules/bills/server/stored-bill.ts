import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, equalsAny, notDeleted, touch } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { bill as billEntity, type Bill as BillRow } from '../contract/bill.ts'
import { billState, payState, refundState, invoiceState } from '../contract/choices.ts'
import type { Bill, BillChange } from '../domain/bill.ts'
import { spreadOverMonths } from '../domain/months.ts'
import { toBill } from '../domain/bill-row.ts'

export { toBill }

/** Charged by time: the amount is spread over the months of the period by days (STAT-2). */
export const isCyclic = (feeType: BillRow['feeType']): boolean =>
  feeType === 'cyclic' || feeType === 'monthCard'

/**
 * Bills that statistics count: those waiting for audit, abolished ones and bills of deposits, which are never
 * income (C27-8), have no rows in bill_month.
 */
export const isCountedInStatistics = (bill: Pick<BillRow, 'state' | 'feeType'>): boolean =>
  (bill.state === 'normal' || bill.state === 'writtenOff') && bill.feeType !== 'deposit'

export interface BillUpdate {
  readonly row: BillRow
  readonly change: BillChange
  /** When the bill was paid, if the change pays it. */
  readonly payTime?: string | undefined
}

const yuan = (fen: Fen): string => formatYuan(fen)

/** The new values of a bill as a JSON record. `free` releases the hold of a payment order. */
const toRecord = ({ row, change, payTime }: BillUpdate, bill: Bill) => ({
  id: bill.id,
  amount: yuan(bill.amount),
  discount: yuan(bill.discount),
  paid: yuan(bill.paidPrincipal),
  due: yuan(bill.lateDue),
  late_paid: yuan(bill.latePaid),
  waived: yuan(bill.lateWaived),
  manual: bill.lateManual,
  state: codeOf(billState, bill.state),
  pay_state: codeOf(payState, bill.payState),
  refund_state: codeOf(refundState, bill.refundState),
  due_date: bill.dueDate,
  free: 'lockedUntil' in change && bill.lockedUntil === undefined,
  deleted: bill.deleted ? 1 : 0,
  pay_time: bill.payState === 'paid' ? (payTime ?? row.payTime ?? null) : null,
})

const updateBills = sqlFile(import.meta.dirname, 'write-bills.sql', [
  'extraColumns',
  'full',
  'isOneOf',
  'liveBill',
  'ownerId',
  'part',
  'records',
  'touched',
])

/**
 * Writes changes of many bills together with their rows by month and their invoice state, in one statement.
 * The rows must have been locked. Returns the bills as they are now. `extraColumns`: columns that all of them
 * get (`abolish_by = 7`); `extraPart`: another CTE of the statement (`m as (insert …)`). Throws when a bill
 * is missing.
 */
export async function writeBills(
  tx: Tx,
  scope: Scope,
  updates: readonly BillUpdate[],
  extraColumns: readonly RawBuilder<unknown>[] = [],
  extraPart?: RawBuilder<unknown>,
): Promise<Bill[]> {
  if (!updates.length) return []
  const after = updates.map(({ row, change }) => ({ ...toBill(row), ...change }))
  const records = updates.map((update, i) => toRecord(update, defined(after[i])))
  // The bills last and nothing read from the parts before: on a distributed engine what a part returns would
  // be sent to every node.
  const updatedCount = await tx.execute(sql`
    with ${billMonthsSql(
      scope.ownerId,
      after.map((bill, i) => ({
        ...defined(updates[i]).row,
        amount: bill.amount,
        discountAmount: bill.discount,
        paidPrincipal: bill.paidPrincipal,
        state: bill.state,
        deleted: bill.deleted,
      })),
    )}${extraPart ? sql`, ${extraPart}` : sql``}
    ${updateBills({
      ownerId: scope.ownerId,
      records: JSON.stringify(records),
      isOneOf: equalsAny(after.map(b => b.id)),
      liveBill: notDeleted('t'),
      full: code(invoiceState, 'full'),
      part: code(invoiceState, 'part'),
      extraColumns: extraColumns.length ? sql`${sql.join(extraColumns)},` : sql``,
      touched: touch(scope, 't'),
    })}
  `)
  if (updatedCount !== updates.length) throw new Error(`wrote ${updatedCount} of ${updates.length} bills`)
  publishRecordsWritten(tx, scope.ownerId, {
    entity: billEntity.name,
    action: 'update',
    ids: after.map(b => b.id),
  })
  return after
}

type MonthlyBill = Pick<
  BillRow,
  | 'id'
  | 'projectCode'
  | 'feeItemId'
  | 'feeType'
  | 'beginDate'
  | 'endDate'
  | 'amount'
  | 'discountAmount'
  | 'paidPrincipal'
  | 'state'
> & { readonly deleted?: boolean }

interface MonthRecord {
  readonly bill_id: number
  readonly month: string
}

/** The rows of bill_month as JSON records; none for bills that do not count. */
export const monthRows = (bills: readonly MonthlyBill[]): MonthRecord[] =>
  bills
    .filter(b => isCountedInStatistics(b) && !b.deleted)
    .flatMap(bill =>
      spreadOverMonths(
        { begin: bill.beginDate, end: bill.endDate },
        {
          receivable: subtractFen(bill.amount, bill.discountAmount),
          discount: bill.discountAmount,
          paid: bill.paidPrincipal,
        },
        isCyclic(bill.feeType),
      ).map(monthRow => ({
        bill_id: bill.id,
        month: monthRow.month,
        project_code: bill.projectCode,
        fee_item_id: bill.feeItemId,
        days: monthRow.days,
        receivable: yuan(monthRow.receivable),
        discount: yuan(monthRow.discount),
        paid: yuan(monthRow.paid),
      })),
    )

/**
 * CTEs that bring the rows by month of bills up to date (STAT-2): delete those that are gone, upsert the
 * others.
 */
const billMonthsSql = (ownerId: Id, bills: readonly MonthlyBill[]): RawBuilder<unknown> => {
  const rows = monthRows(bills)
  // Not as one part that both read: a distributed engine would send it to every node.
  const keptKeys = rows.map(row => `${row.bill_id}/${row.month}`)
  return sql`deleted_months as (
    delete
    from bill_month m
    where m.owner_id = ${ownerId}
      and m.bill_id ${equalsAny(bills.map(b => b.id))}
      and m.bill_id::text || '/' || m.month <> all(${keptKeys}::text[])
  ),
  month_put as (
    insert into bill_month (
      owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid
    )
    select ${ownerId}::bigint, r.*
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      bill_id bigint, month text, project_code text, fee_item_id bigint, days integer, receivable numeric,
      discount numeric, paid numeric
    )
    on conflict (owner_id, bill_id, month) do update set project_code = excluded.project_code,
      fee_item_id = excluded.fee_item_id, days = excluded.days, receivable = excluded.receivable,
      discount = excluded.discount, paid = excluded.paid
    returning 1
  )`
}

export async function rewriteBillMonths(tx: Tx, ownerId: Id, bills: readonly MonthlyBill[]): Promise<void> {
  if (bills.length) {
    await tx.execute(sql`with ${billMonthsSql(ownerId, bills)} select 1`)
  }
}
