import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { type Fen, formatYuan } from '#kit/domain/money.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { createdColumns, createdValues } from '#kit/server/sql.ts'
import { assertInDomain } from '#kit/server/table.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { adjustType } from '../contract/choices.ts'
import { refusalOf, stopsInApproval, type BillAction, type ActionFacts } from '../domain/actions.ts'
import type { BillChange } from '../domain/bill.ts'
import { publishBillsChanged } from './bill-events.ts'
import { toBill, writeBills } from './stored-bill.ts'
import { findOrderRefusals, isReviving } from './order-refusals.ts'
import { findWaitingBills } from './waiting-bills.ts'

/** A row of bill_adjust that records a change. */
export interface Adjustment {
  readonly type: ChoiceOf<typeof adjustType>
  readonly oldValue?: string | undefined
  readonly newValue?: string | undefined
  readonly amount: Fen
}

/**
 * `extraAudit`: fields other than money and states that the action changes, for the audit; `extraColumns`
 * of the action writes them.
 */
export interface ActionDecision {
  readonly change: BillChange
  readonly adjust?: Adjustment | undefined
  readonly extraAudit?: Partial<Bill> | undefined
}

export interface ActionSpec {
  readonly action: BillAction
  readonly now: Moment
  readonly today: Day
  readonly reason?: string | undefined
  /** What the rules need to know about a bill besides the bill itself. */
  readonly facts?: (b: Bill) => Omit<ActionFacts, 'now'>
  /** The change, or a refusal as text. */
  readonly decide: (b: Bill) => ActionDecision | string
  /** Columns that every changed bill gets (`abolish_reason = …`). */
  readonly extraColumns?: readonly RawBuilder<unknown>[]
  /** How many skipped bills are reported with their reasons; `maxReportedRows` by default. */
  readonly maxReported?: number | undefined
  /** Runs in the same transaction with the changed bills as they were before. */
  readonly afterWrite?: (changed: readonly Bill[]) => Promise<void>
}

/** A change in the fields of the entity, as the audit records it. */
const toAuditFields = (change: BillChange): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({
      state: change.state,
      amount: change.amount,
      discountAmount: change.discount,
      paidPrincipal: change.paidPrincipal,
      lateFeeDue: change.lateDue,
      lateFeePaid: change.latePaid,
      lateFeeWaived: change.lateWaived,
      lateFeeManual: change.lateManual,
      dueDate: change.dueDate,
      payState: change.payState,
      refundState: change.refundState,
    }).filter(([, v]) => v !== undefined),
  )

const toAuditEntries = (
  changes: readonly ({ row: Bill } & ActionDecision)[],
  reason: string | undefined,
): AuditEntry[] =>
  changes.map(({ row, change, extraAudit }) => {
    const after: Record<string, unknown> = { ...toAuditFields(change), ...extraAudit }
    const before = Object.fromEntries(Object.entries(row).filter(([key]) => key in after))
    return {
      action: change.deleted ? 'delete' : change.state ? 'state' : 'update',
      entity: bill.name,
      entityId: row.id,
      projectCode: row.projectCode,
      before,
      after,
      reason,
    }
  })

export const insertAdjustments = async (
  tx: Tx,
  scope: Scope,
  changes: readonly (Adjustment & { readonly billId: Id })[],
  reason: string | undefined,
): Promise<void> => {
  if (!changes.length) return
  const rows = changes.map(adjustment => ({
    bill_id: adjustment.billId,
    adjust_type: codeOf(adjustType, adjustment.type),
    old_value: adjustment.oldValue,
    new_value: adjustment.newValue,
    amount: formatYuan(adjustment.amount),
  }))
  await tx.execute(sql`
    insert into bill_adjust (
      ${createdColumns}, bill_id, adjust_type, old_value, new_value, amount, reason
    )
    select ${createdValues(scope)}, r.bill_id, r.adjust_type, r.old_value, r.new_value, r.amount,
      ${reason ?? null}::text
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(bill_id bigint, adjust_type smallint, old_value text, new_value text, amount numeric)
    returning 1
  `)
}

/** How many skipped bills a call reports with their reasons. */
export const maxReportedRows = 200
const chunkSize = 20_000

interface SkippedBill {
  readonly id?: Id
  readonly code?: string
  readonly reason: string
}

/**
 * What an action would do to each bill by the table of C3.2, and to which nothing, with the reason.
 * `waiting`: those that wait in an approval; `orders`: those whose orders ended, with the reason.
 */
export function judgeBills(
  scope: Scope,
  rows: readonly Bill[],
  spec: ActionSpec,
  missing: readonly Id[] = [],
  waiting: ReadonlySet<Id> = new Set(),
  orders: ReadonlyMap<Id, string> = new Map(),
): {
  readonly decided: readonly ({ row: Bill } & ActionDecision)[]
  readonly skipped: readonly SkippedBill[]
} {
  const skipped: SkippedBill[] = missing.map(id => ({ id, reason: '账单不存在或已被删除' }))
  const decided: ({ row: Bill } & ActionDecision)[] = []
  for (const row of rows) {
    assertInDomain(bill, scope, row)
    const refusal = refusalOf(spec.action, toBill(row), {
      now: spec.now,
      isWaiting: waiting.has(row.id),
      orderRefusal: orders.get(row.id),
      ...spec.facts?.(row),
    })
    const decision = refusal ?? spec.decide(row)
    if (typeof decision === 'string') {
      skipped.push({ id: row.id, code: row.billNo, reason: decision })
    } else {
      decided.push({ row, ...decision })
    }
  }
  return { decided, skipped }
}

/**
 * Runs one action on bills from `lockBills`: each is judged by the table of C3.2, changes are written
 * together with audit and adjustment rows. Refused bills are reported as skipped (BILL-2, G-11).
 * `missing`: requested ids that no longer exist.
 */
export async function runAction(
  tx: Tx,
  scope: Scope,
  rows: readonly Bill[],
  spec: ActionSpec,
  missing: readonly Id[] = [],
): Promise<BulkResult> {
  const waiting = stopsInApproval(spec.action) ? await findWaitingBills(tx, scope, rows) : undefined
  const orders = isReviving(spec.action) ? await findOrderRefusals(tx, scope, rows) : undefined
  const { decided, skipped } = judgeBills(scope, rows, spec, missing, waiting, orders)
  for (let i = 0; i < decided.length; i += chunkSize) {
    const chunk = decided.slice(i, i + chunkSize)
    await writeBills(tx, scope, chunk, spec.extraColumns)
    await audit(tx, scope, toAuditEntries(chunk, spec.reason))
    await insertAdjustments(
      tx,
      scope,
      chunk.flatMap(d => (d.adjust ? [{ ...d.adjust, billId: d.row.id }] : [])),
      spec.reason,
    )
  }
  if (decided.length) {
    const bills = decided.map(d => d.row)
    await spec.afterWrite?.(bills)
    await publishBillsChanged(tx, scope, { action: spec.action, bills })
  }
  return {
    success: decided.length,
    fail: 0,
    skipped: skipped.length,
    rows: skipped.slice(0, spec.maxReported ?? maxReportedRows),
  }
}

/** Runs an action on one bill; refuses where `runAction` would skip. */
export async function runActionOnOne(tx: Tx, scope: Scope, row: Bill, spec: ActionSpec): Promise<void> {
  const result = await runAction(tx, scope, [row], spec)
  if (result.skipped) refuse(defined(result.rows[0]).reason)
}
