import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { formatYuan, negateFen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { undoBooking } from '#modules/bills/server/public.ts'
import { recordState } from '../contract/choices.ts'
import { payRecord, type PayRecord } from '../contract/record.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { findDetails } from './record.ts'
import { isChannelRefund } from './refund-completion.ts'
import { assertDayOpen, lockDay } from './day-lock.ts'
import { paymentContextOfRecord } from './payment-context.ts'
import { publishPaid, requirePrestoreProvider, type PaymentContext } from './tenders.ts'
import { assertNotHandedOver } from './void.ts'

/** REF-6: an offline refund of today is taken back: its record is voided, the bills are paid again. */
export async function reverseRefund(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  record: PayRecord,
  now: Moment,
): Promise<void> {
  const today = dayOfMoment(now)
  if (isChannelRefund(refund, record)) refuse('线上退款已完成，不能取消')
  if (refund.finishTime === undefined || dayOfMoment(refund.finishTime) !== today)
    refuse('只能撤销当天完成的退款')
  if (refund.billAfter !== 'owed') refuse('账单已随退款作废或减免，不能撤销退款；请恢复账单后重新收款')
  await lockDay(tx, scope.ownerId, refund.projectCode, today)
  await assertDayOpen(tx, scope.ownerId, refund.projectCode, today)
  // Details before bills, as everywhere: two refunds of one record never wait for each other in a circle.
  const details = await findDetails(tx, scope.ownerId, record.id, { lock: true })
  const context = { ...paymentContextOfRecord(record, details), at: now }
  const negative = await requireById(tx, payRecord, scope, defined(refund.negRecordId), { lock: true })
  await assertNotHandedOver(tx, scope.ownerId, negative, '该退款已交账确认，不能撤销；请重新收款')
  await undoBooking(tx, scope, { type: 'refund', id: refund.id }, record.payTime)
  await takeBackPrestore(tx, scope, refund, negative, context)
  await restoreRecord(tx, scope.ownerId, refund, record.id, negative.id)
  await publishPaid(tx, scope, {
    recordId: record.id,
    projectCode: record.projectCode,
    days: [record.payDay, today],
    billIds: refund.lines.map(l => l.billId),
    kind: 'paid',
  })
}

/** What the refund had brought to prestore leaves it again. */
async function takeBackPrestore(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  negative: PayRecord,
  context: PaymentContext,
): Promise<void> {
  for (const tender of negative.methods.filter(m => m.method === 'prestore')) {
    const provider = requirePrestoreProvider()
    await (refund.refundWay === 'prestore'
      ? provider.reverseCredit(tx, scope, negateFen(tender.amount), context)
      : provider.debit(tx, scope, negateFen(tender.amount), context))
  }
}

/** The amounts on the details and on both records as before the refund. */
async function restoreRecord(
  tx: Tx,
  ownerId: Id,
  refund: FeeRefund,
  recordId: Id,
  negativeId: Id,
): Promise<void> {
  const lines = refund.lines.map(l => ({
    id: l.detailId,
    principal: formatYuan(l.principal),
    late: formatYuan(l.late),
  }))
  await tx.execute(sql`
    update pay_detail d
    set refunded_principal = d.refunded_principal - line.principal,
      refunded_late_fee = d.refunded_late_fee - line.late
    from json_to_recordset(${JSON.stringify(lines)}::json) as line(
      id bigint, principal numeric, late numeric
    )
    where d.owner_id = ${ownerId} and d.id = line.id
  `)
  await tx.execute(
    sql`
      update pay_record
      set state = ${code(recordState, 'voided')}, void_reason = '退款已撤销'
      where owner_id = ${ownerId} and id = ${negativeId}
    `,
  )
  await tx.execute(
    sql`
      update pay_record
      set refunded_amount = refunded_amount - ${formatYuan(refund.amount)},
        state = case
          when refunded_amount > ${formatYuan(refund.amount)} then ${code(recordState, 'partRefunded')}
          else ${code(recordState, 'normal')}
          end
      where owner_id = ${ownerId} and id = ${recordId}
    `,
  )
}
