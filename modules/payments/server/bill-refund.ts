import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { billAfterRefund } from '#modules/bills/contract/choices.ts'
import { recordState, refundState } from '../contract/choices.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { findDetails } from './record.ts'
import { maxRefundOf, openRefundStates, refundablePartsOf, splitNewestFirst } from '../domain/refund.ts'
import { askForRefund, startAsked, type AskedRefund, type RefundRequest } from './refund.ts'
import { startRefund } from './refund-completion.ts'
import { startGroup } from './refund-group.ts'
import { lockRecords } from './refund-members.ts'
import { findPendingAmounts } from './refund-state.ts'

/** The payments that a bill was paid by and that still stand, the first first. */
const findPayments = (tx: Tx, ownerId: Id, billId: Id): Promise<{ id: Id }[]> =>
  tx.rows<{ id: Id }>(sql`
    select r.id
    from pay_detail d
    join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
    where d.owner_id = ${ownerId}
      and d.bill_id = ${billId}
      and r.state in ${codes(recordState, 'normal', 'partRefunded')}
      and ${notDeleted('d')}
      and ${notDeleted('r')}
    group by r.id
    order by r.id
  `)

type BillRefund = Pick<RefundRequest, 'recordId' | 'lines'>

/** What may go back of all that was paid for one bill. */
async function planRefunds(tx: Tx, ownerId: Id, billId: Id): Promise<BillRefund[]> {
  const requests: BillRefund[] = []
  for (const { id: recordId } of await findPayments(tx, ownerId, billId)) {
    const details = (await findDetails(tx, ownerId, recordId)).filter(d => d.billId === billId)
    const parts = refundablePartsOf(details, await findPendingAmounts(tx, ownerId, recordId))
    const lines = parts
      .map(part => ({ detailId: part.id, ...maxRefundOf(part) }))
      .filter(line => addFen(line.principal, line.late) > 0)
    if (lines.length) {
      requests.push({ recordId, lines })
    }
  }
  return requests
}

/**
 * Asks for all that was paid for bills that belong together (one, or the parts of a split one) to go back the
 * way it came, each bill abolished with the last of it (REF-2). Returns the refunds; each follows the rules
 * of the cashier's own, its approval too (REF-3). All are asked for before the first is done, so that each
 * knows of the others.
 */
export async function refundPaidBills(
  tx: Tx,
  scope: Scope,
  billIds: readonly Id[],
  reason: string,
  now: Moment,
): Promise<FeeRefund[]> {
  const rest = { refundWay: 'original', billAfter: 'abolished', periodAfter: 'waived', reason } as const
  const asked = []
  for (const billId of billIds) {
    for (const request of await planRefunds(tx, scope.ownerId, billId)) {
      asked.push(await askForRefund(tx, scope, { ...request, ...rest }, now))
    }
  }
  const refunds: FeeRefund[] = []
  for (const refund of asked) {
    refunds.push(await startAsked(tx, scope, refund, now))
  }
  return refunds.length ? refunds : refuse('该费用没有可以退还的收款，可能正在退款')
}

export interface PartialBillRefund {
  readonly billId: Id
  /** Of the principal; all that was paid for the bill abolishes it, of less the bill stays paid. */
  readonly amount: Fen
  readonly refundWay: RefundRequest['refundWay']
  readonly reason: string
  /** What was measured says how much: nobody has to approve it (REF-3 is for what people ask for). */
  readonly isMeasured?: boolean
  /** Once it is asked for, before it is done: what goes by the refund is written down. */
  readonly onAsked: (refund: FeeRefund) => Promise<unknown>
}

/**
 * Asks for a part of what was paid for a bill to go back; the rest is what it costs (REF-2, 3). Out of one
 * payment: a refund of several is the cashier's to divide.
 */
export async function refundPartOfBill(
  tx: Tx,
  scope: Scope,
  { billId, amount, refundWay, reason, isMeasured, onAsked }: PartialBillRefund,
  now: Moment,
): Promise<FeeRefund> {
  const planned = await planRefunds(tx, scope.ownerId, billId)
  const candidates = planned.flatMap(({ recordId, lines }) => lines.map(line => ({ recordId, ...line })))
  const paid = candidates.find(line => line.principal >= amount)
  if (!paid) return refuse('单笔收款少于应退金额，请在「退款」中按收款逐笔退款')
  const isWhole = candidates.length === 1 && paid.principal === amount && paid.late === 0
  const { recordId, detailId } = paid
  const input = {
    recordId,
    lines: [{ detailId, principal: amount, late: 0 as const }],
    refundWay,
    ...(isWhole
      ? ({ billAfter: 'abolished', periodAfter: 'waived' } as const)
      : { billAfter: 'kept' as const }),
    reason,
  }
  const asked = await askForRefund(tx, scope, input, now)
  await onAsked(asked.refund)
  if (!isMeasured) return startAsked(tx, scope, asked, now)
  await startRefund(tx, scope, asked.refund, now)
  return asked.refund
}

export interface BillPart {
  readonly billId: Id
  /** Of the principal; all that was paid for the bill abolishes it, of less the bill stays paid. */
  readonly amount: Fen
}

type PlannedRefund = Omit<RefundRequest, 'refundWay' | 'reason'>

/** A part of what was paid for a bill, out of its payments, the newest first. */
async function planPart(tx: Tx, ownerId: Id, { billId, amount }: BillPart): Promise<PlannedRefund[]> {
  const planned = await planRefunds(tx, ownerId, billId)
  const lines = planned.flatMap(({ recordId, lines: ofRecord }) =>
    ofRecord.map(line => ({ recordId, ...line })),
  )
  const principal = sumFen(lines.map(line => line.principal))
  if (principal < amount) refuse('账单的收款少于应退金额，可能正在退款，请在「退款」中查看')
  const isWhole = principal === amount && lines.every(({ late }) => late === 0)
  const after = isWhole
    ? ({ billAfter: 'abolished', periodAfter: 'waived' } as const)
    : ({ billAfter: 'kept' } as const)
  return splitNewestFirst(lines.toReversed(), amount).map(({ recordId, detailId, part }) => ({
    recordId,
    lines: [{ detailId, principal: part, late: 0 }],
    ...after,
  }))
}

export interface PartialBillsRefund {
  /** In the order in which they go back. */
  readonly parts: readonly [BillPart, ...BillPart[]]
  readonly refundWay: RefundRequest['refundWay']
  readonly reason: string
  /** Once it is asked for, before it is done, with the refund that stands for all. */
  readonly onAsked: (refund: FeeRefund) => Promise<unknown>
}

/**
 * Asks for parts of what was paid for bills that belong together, out of all their payments: one decision,
 * one transaction (REF-2, 3).
 */
export async function refundPartsOfBills(
  tx: Tx,
  scope: Scope,
  { parts, refundWay, reason, onAsked }: PartialBillsRefund,
  now: Moment,
): Promise<void> {
  const planned: PlannedRefund[] = []
  for (const part of parts) {
    planned.push(...(await planPart(tx, scope.ownerId, part)))
  }
  await lockRecords(
    tx,
    scope,
    planned.map(({ recordId }) => recordId),
  )
  const asked: AskedRefund[] = []
  for (const request of planned) {
    asked.push(await askForRefund(tx, scope, { ...request, refundWay, reason }, now))
  }
  const [first, ...others] = asked
  if (!first) return refuse('没有可退的金额')
  await onAsked(first.refund)
  await startGroup(tx, scope, [first, ...others], now)
}

/** A refund that still claims its money, with what it gives back of one bill. */
export interface OpenBillRefund {
  readonly billId: Id
  readonly refundNo: string
  readonly state: FeeRefund['state']
  readonly billAfter: FeeRefund['billAfter']
  readonly amount: Fen
}

type OpenRefundRow = Omit<OpenBillRefund, 'state' | 'billAfter'> & {
  readonly state: number
  readonly billAfter: number
}

/** The refunds of bills that are asked for and not through yet, the first first (REF-1). */
export async function findOpenBillRefunds(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  billIds: readonly Id[],
): Promise<OpenBillRefund[]> {
  if (!billIds.length) return []
  const rows = await db.rows<OpenRefundRow>(sql`
    select (line->>'billId')::bigint as bill_id, f.refund_no, f.state, f.bill_after,
      sum((line->>'principal')::bigint + (line->>'late')::bigint)::bigint as amount
    from pay_detail d
    join fee_refund f on f.owner_id = ${ownerId}
      and f.record_id = d.record_id
      and f.state in ${codes(refundState, ...openRefundStates)}
      and ${notDeleted('f')}
    cross join lateral jsonb_array_elements(f.lines) line
    where d.owner_id = ${ownerId}
      and d.bill_id = any(${[...billIds]}::bigint[])
      and (line->>'detailId')::bigint = d.id
    group by 1, f.id, f.refund_no, f.state, f.bill_after
    order by f.id
  `)
  return rows.map(row => ({
    ...row,
    state: defined(keyOf(refundState, row.state)),
    billAfter: defined(keyOf(billAfterRefund, row.billAfter)),
  }))
}
