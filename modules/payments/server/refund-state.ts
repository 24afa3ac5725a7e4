import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted, touch } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { refundState } from '../contract/choices.ts'
import { payRecord } from '../contract/record.ts'
import { feeRefund, type FeeRefund } from '../contract/refund.ts'
import {
  openRefundStates,
  refundActionRefusal,
  refundStates,
  type RefundAction,
  type RefundAmounts,
  type RefundState,
} from '../domain/refund.ts'
import { lockDays } from './day-lock.ts'

const assertTransition = (refund: FeeRefund, newState: RefundState): void => {
  const refusal = refundStates.checkTransition(refund.state, newState)
  if (refusal) refuse(refusal)
}

export const assertAction = (refund: FeeRefund, action: RefundAction): void => {
  const refusal = refundActionRefusal(action, refund.state)
  if (refusal) refuse(refusal)
}

/** Writes the state with further columns of `fee_refund`, by their names; no new state stays returned. */
export async function setRefundState(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  state: RefundState,
  columns: Readonly<Record<string, unknown>>,
  reason?: string,
): Promise<void> {
  const kept = { is_returned: false, return_reason: null, ...columns, state: codeOf(refundState, state) }
  const assignments = Object.entries(kept).map(([column, value]) => sql`${sql.id(column)} = ${value}`)
  await tx.execute(
    sql`
      update fee_refund
      set ${sql.join(assignments)}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${refund.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'feeRefund',
      entityId: refund.id,
      projectCode: refund.projectCode,
      before: { state: refund.state },
      after: { state, ...columns },
      reason,
    },
  ])
}

/** Who decided on a refund, and in what words. */
export const recordAudit = (
  { tx, scope, now }: Pick<WriteContext, 'tx' | 'scope' | 'now'>,
  id: Id,
  note: string | undefined,
): Promise<number> =>
  tx.execute(sql`
    update fee_refund
    set audit_by = ${scope.operatorId}, audit_name = ${scope.name}, audit_time = ${now},
      audit_note = ${note ?? null}
    where owner_id = ${scope.ownerId} and id = ${id}
  `)

/** The channel refused: to be tried again under the same number, or given up (C6.1). */
export const failRefund = (tx: Tx, scope: Scope, refund: FeeRefund, reason: string): Promise<void> => {
  assertTransition(refund, 'failed')
  const columns = { fail_reason: reason.slice(0, 200), query_time: null }
  return setRefundState(tx, scope, refund, 'failed', columns, reason)
}

/** What open refunds of a record ask for, by detail (REF-1). */
export async function findPendingAmounts(
  tx: Tx,
  ownerId: Id,
  recordId: Id,
): Promise<ReadonlyMap<Id, RefundAmounts>> {
  const rows = await tx.rows<RefundAmounts & { readonly id: Id }>(sql`
    select (line->>'detailId')::int as id, sum((line->>'principal')::bigint)::bigint as principal,
      sum((line->>'late')::bigint)::bigint as late
    from fee_refund r, jsonb_array_elements(r.lines) line
    where r.owner_id = ${ownerId}
      and r.record_id = ${recordId}
      and r.state in ${codes(refundState, ...openRefundStates)}
      and ${notDeleted('r')}
    group by 1
  `)
  return new Map(rows.map(row => [row.id, row]))
}

/** Adds to what is being refunded of a record; negative when a refund is given up. */
export const addRefundingAmount = (tx: Tx, ownerId: Id, recordId: Id, amount: Fen): Promise<number> =>
  tx.execute(
    sql`
      update pay_record
      set refunding_amount = refunding_amount + ${formatYuan(amount)}
      where owner_id = ${ownerId} and id = ${recordId}
    `,
  )

/** A refund belongs to the day on which it is paid out; that day is locked before any row. */
export const lockRefundDay = (tx: Tx, scope: Scope, projectCode: string, now: Moment): Promise<unknown> =>
  lockDays(tx, scope.ownerId, projectCode, [dayOfMoment(now)])

/** Locks today for the project of a refund, then the refund. */
export async function lockRefund(tx: Tx, scope: Scope, id: Id, now: Moment): Promise<FeeRefund> {
  const { projectCode } = await requireById(tx, feeRefund, scope, id)
  await lockRefundDay(tx, scope, projectCode, now)
  return requireById(tx, feeRefund, scope, id, { lock: true })
}

/** Locks today for the project of a record, then the record. */
export async function lockRefundedRecord(tx: Tx, scope: Scope, id: Id, now: Moment) {
  const { projectCode } = await requireById(tx, payRecord, scope, id)
  await lockRefundDay(tx, scope, projectCode, now)
  return requireById(tx, payRecord, scope, id, { lock: true })
}
