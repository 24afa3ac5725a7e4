import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, negateFen, parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { code } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { bookRefund } from '#modules/bills/server/public.ts'
import { payMethod, recordState, recordType } from '../contract/choices.ts'
import { payRecord, type PayDetail, type PayRecord } from '../contract/record.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { isRefundedWhole } from '../domain/refund.ts'
import { refundTenders, type RefundTender } from '../domain/refund-tenders.ts'
import { assertDayOpen, lockDay } from './day-lock.ts'
import { payOutPrefix } from './document-prefixes.ts'
import { splitJointRefund } from './joint-refunds.ts'
import { channelOfMethod } from './method-channel.ts'
import { paymentContextOfRecord } from './payment-context.ts'
import { findDetails } from './record.ts'
import { setRefundState } from './refund-state.ts'
import { subjectOfRefund, type RefundContext, type SubjectOfRefund } from './refund-subjects.ts'
import { publishPaid, requirePrestoreProvider, type PaymentContext } from './tenders.ts'

/** What earlier refunds of a record have returned to prestore, fen (REF-9). */
async function sumReturnedPrestore(tx: Tx, ownerId: Id, recordId: Id): Promise<Fen> {
  const row = await tx.one<{ returned: string }>(
    sql`
      select coalesce(-sum(l.amount), 0)::text as returned
      from pay_record r
      join pay_line l on l.owner_id = ${ownerId} and l.record_id = r.id
      where r.owner_id = ${ownerId}
        and r.origin_record_id = ${recordId}
        and r.record_type = ${code(recordType, 'refund')}
        and r.state <> ${code(recordState, 'voided')}
        and l.method = ${code(payMethod, 'prestore')}
    `,
  )
  return parseYuan(row?.returned ?? '0')
}

/**
 * The negative record of a refund (REF-5). It counts for the cashier who asked for the refund: the payer
 * stands at that counter, the approver may be elsewhere (PAY-23). Returns its id.
 */
async function insertNegativeRecord(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  tenders: readonly RefundTender[],
  now: Moment,
): Promise<Id> {
  const negative = (amount: Fen): string => formatYuan(negateFen(amount))
  const day = dayOfMoment(now)
  const recordNo = await tx.numbers.next(scope.ownerId, payOutPrefix, day)
  const mainMethod = tenders.at(-1)?.method ?? 'cash'
  const inserted = await tx.one<{ id: Id }>(sql`
    insert into pay_record (
      owner_id, create_by, update_by, project_code, record_no, record_type, source_name, build_code,
      payer_kind, payer_id, payer_name, principal_amount, late_fee_amount, tendered_amount, prestore_amount,
      pay_method, methods, pay_time, pay_day, cashier_id, cashier_name, origin_record_id, remark, state
    )
    select ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, o.project_code, ${recordNo}::text,
      ${code(recordType, 'refund')}, o.source_name, o.build_code, o.payer_kind, o.payer_id, o.payer_name,
      ${negative(sumFen(refund.lines.map(l => l.principal)))},
      ${negative(sumFen(refund.lines.map(l => l.late)))}, ${negative(refund.amount)},
      ${negative(sumFen(tenders.filter(t => t.method === 'prestore').map(t => t.amount)))},
      ${codeOf(payMethod, mainMethod)},
      ${JSON.stringify(tenders.map(t => ({ ...t, amount: -t.amount })))}, ${now}, ${day},
      ${refund.applyBy || null}, ${refund.applyName}, o.id, ${refund.reason}, ${code(recordState, 'normal')}
    from pay_record o
    where o.owner_id = ${scope.ownerId} and o.id = ${refund.recordId}
    returning id
  `)
  return defined(inserted).id
}

const writeRefundLines = sqlFile(import.meta.dirname, 'refund-lines.sql', [
  'lines',
  'operator',
  'ownerId',
  'record',
  'tenderLines',
])

/** Books the refunded amounts on the original details and writes the negative details and lines. */
async function insertNegativeDetails(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  tenders: readonly RefundTender[],
  negativeId: Id,
): Promise<void> {
  const lines = refund.lines.map(l => ({
    id: l.detailId,
    principal: formatYuan(l.principal),
    late: formatYuan(l.late),
  }))
  const tenderLines = tenders.map((t, seq) => ({
    seq,
    method: codeOf(payMethod, t.method),
    amount: formatYuan(negateFen(t.amount)),
  }))
  await tx.execute(
    writeRefundLines({
      lines: JSON.stringify(lines),
      operator: scope.operatorId,
      ownerId: scope.ownerId,
      record: negativeId,
      tenderLines: JSON.stringify(tenderLines),
    }),
  )
}

/** The record's own sums; it is 已退款 once all that is refundable has gone back. */
const addRefundedAmount = (tx: Tx, scope: Scope, recordId: Id, amount: Fen): Promise<number> =>
  tx.execute(sql`
    update pay_record
    set refunded_amount = refunded_amount + ${formatYuan(amount)},
      refunding_amount = refunding_amount - ${formatYuan(amount)}, version = version + 1,
      update_time = ${scope.time}::timestamptz,
      state = case
        when refunded_amount + ${formatYuan(amount)} >= tendered_amount - change_amount - to_prestore
          then ${code(recordState, 'refunded')}
        else ${code(recordState, 'partRefunded')}
        end
    where owner_id = ${scope.ownerId} and id = ${recordId}
  `)

/** 转预存 is new money for the account; otherwise what was deducted goes back where it came from. */
async function returnToPrestore(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  tenders: readonly RefundTender[],
  context: PaymentContext,
): Promise<void> {
  for (const tender of tenders.filter(t => t.method === 'prestore')) {
    const provider = requirePrestoreProvider('未启用预存账户，不能转预存')
    await (refund.refundWay === 'prestore'
      ? provider.credit(tx, scope, tender.amount, context, 'refund')
      : provider.reverseDebit(tx, scope, tender.amount, context))
  }
}

async function bookRefundOnBills(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  details: readonly PayDetail[],
  day: Day,
): Promise<Fen> {
  const billIdByDetail = new Map(details.map(d => [d.id, d.billId]))
  const lineByDetail = new Map(refund.lines.map(l => [l.detailId, l]))
  const completed = details.filter(d => isRefundedWhole(d, lineByDetail.get(d.id)))
  const allocations = refund.lines.map(l => ({
    billId: defined(billIdByDetail.get(l.detailId)),
    principal: l.principal,
    late: l.late,
  }))
  const booking = {
    day,
    from: { type: 'refund', id: refund.id },
    reason: refund.reason,
    completed: {
      payment: { type: 'pay', id: defined(refund.recordId) },
      billIds: completed.map(d => d.billId),
    },
    periodAfter: refund.periodAfter,
  }
  const billAfter = defined(refund.billAfter)
  if (billAfter !== 'abolished') return bookRefund(tx, scope, allocations, billAfter, booking)
  const { interim, last } = await splitJointRefund(tx, scope.ownerId, refund, allocations)
  if (interim.length) {
    await bookRefund(tx, scope, interim, 'kept', booking)
  }
  return last.length ? bookRefund(tx, scope, last, 'abolished', booking) : 0
}

/**
 * REF-5: in one transaction a negative record of today, the bills changed as asked and the sums of the
 * payment. The caller has locked today already (`lockRefund`).
 */
export async function finishRefund(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  now: Moment,
  channelRefundNo?: string,
): Promise<void> {
  const { ownerId } = scope
  const day = dayOfMoment(now)
  await lockDay(tx, ownerId, refund.projectCode, day)
  await assertDayOpen(tx, ownerId, refund.projectCode, day)
  const record = await requireById(tx, payRecord, scope, defined(refund.recordId), { lock: true })
  const details = await findDetails(tx, ownerId, record.id, { lock: true })
  const context = { ...paymentContextOfRecord(record, details), at: now }
  const returned = await sumReturnedPrestore(tx, ownerId, record.id)
  const tenders = refundTenders(record, refund.amount, refund.refundWay, returned)
  const negativeId = await insertNegativeRecord(tx, scope, refund, tenders, now)
  await insertNegativeDetails(tx, scope, refund, tenders, negativeId)
  await addRefundedAmount(tx, scope, record.id, refund.amount)
  const roundOff = await bookRefundOnBills(tx, scope, refund, details, day)
  if (roundOff) {
    // C27-10: what was let off at the payment is let off no more, in reports too.
    await tx.execute(sql`
      update pay_record
      set round_off = ${formatYuan(negateFen(roundOff))}
      where owner_id = ${ownerId} and id = ${negativeId}
    `)
  }
  await returnToPrestore(tx, scope, refund, tenders, context)
  await setRefundState(tx, scope, refund, 'done', {
    neg_record_id: negativeId,
    finish_time: now,
    ...(channelRefundNo ? { channel_refund_no: channelRefundNo } : {}),
  })
  await publishPaid(tx, scope, {
    recordId: record.id,
    projectCode: record.projectCode,
    days: [record.payDay, day],
    billIds: refund.lines.map(l => l.billId),
    kind: 'refunded',
    refundId: refund.id,
  })
}

/** Whether the money goes back through the channel that brought it (REF-4). */
export const isChannelRefund = (refund: FeeRefund, record: PayRecord): boolean =>
  refund.refundWay === 'original' && channelOfMethod(record.payMethod) !== undefined

/** What is in an account or a deposit is paid out with the approval (C6.3, ACC-10). */
async function payOutBalance(
  c: RefundContext,
  refund: FeeRefund,
  { subject, request }: SubjectOfRefund,
): Promise<void> {
  const negativeId = await subject.payOut(c, request)
  await setRefundState(c.tx, c.scope, refund, 'done', { neg_record_id: negativeId, finish_time: c.now })
}

/** An approved refund is paid out at once, or asked of the channel that brought the money (REF-4). */
export async function startRefund(tx: Tx, scope: Scope, refund: FeeRefund, now: Moment): Promise<void> {
  const from = subjectOfRefund(refund)
  if (from) return payOutBalance({ tx, scope, now }, refund, from)
  const record = await requireById(tx, payRecord, scope, defined(refund.recordId))
  if (isChannelRefund(refund, record)) {
    await setRefundState(tx, scope, refund, 'doing', { query_time: now })
  } else {
    await setRefundState(tx, scope, refund, 'doing', {})
    await finishRefund(tx, scope, { ...refund, state: 'doing' }, now)
  }
}
