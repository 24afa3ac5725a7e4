import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { code, touch } from '#kit/server/sql.ts'
import { payableBills, bookPayment, undoBooking } from '#modules/bills/server/public.ts'
import { handoverState, recordState } from '../contract/choices.ts'
import { payRecord, recoverRecord, voidRecord, type PayRecord } from '../contract/record.ts'
import { recoverRefusal, voidRefusal } from '../domain/void.ts'
import { findDetails } from './record.ts'
import { assertDayOpen, lockDay } from './day-lock.ts'
import { paymentContextOfRecord } from './payment-context.ts'
import { tenderProviderOf, publishPaid, requirePrestoreProvider } from './tenders.ts'

/** PAY-23: what a confirmed handover lists is not changed any more. */
export const assertNotHandedOver = async (
  tx: Tx,
  owner: number,
  r: Pick<PayRecord, 'handoverId'>,
  refusal: string,
): Promise<void> => {
  if (
    r.handoverId &&
    (await tx.one(
      sql`
        select 1 as found
        from cashier_handover
        where owner_id = ${owner}
          and id = ${r.handoverId}
          and state = ${code(handoverState, 'confirmed')}
      `,
    ))
  )
    refuse(refusal)
}

async function undoRecord(tx: Tx, scope: Scope, r: PayRecord, reason: string): Promise<void> {
  const details = await findDetails(tx, scope.ownerId, r.id, true)
  const about = paymentContextOfRecord(r, details)
  const newer = await tx.one<{ no: string }>(
    sql`
      select p.record_no as no
      from pay_detail d
      join pay_record p on p.owner_id = ${scope.ownerId} and p.id = d.record_id
      where d.owner_id = ${scope.ownerId}
        and d.bill_id = any(${details.map(d => d.billId)})
        and p.id > ${r.id}
        and p.state <> ${code(recordState, 'voided')}
      limit 1
    `,
  )
  if (newer) refuse(`这些账单此后又有收款（${newer.no}），请先作废那一笔`)
  await undoBooking(tx, scope, { type: 'pay', id: r.id })
  for (const m of r.methods) {
    await tenderProviderOf(m.method)?.reverseDebit(tx, scope, m.amount, about)
  }
  if (r.toPrestore > 0) {
    await requirePrestoreProvider().reverseCredit(tx, scope, r.toPrestore, about)
  }
  await tx.execute(
    sql`
      update pay_record
      set state = ${code(recordState, 'voided')}, void_reason = ${reason}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${r.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'payRecord',
      entityId: r.id,
      projectCode: r.projectCode,
      before: { state: 'normal' },
      after: { state: 'voided' },
      reason,
    },
  ])
  await publishPaid(tx, scope, {
    recordId: r.id,
    projectCode: r.projectCode,
    days: [r.payDay],
    billIds: details.map(d => d.billId),
    kind: 'undone',
  })
}

async function restoreRecord(tx: Tx, scope: Scope, r: PayRecord): Promise<void> {
  const details = await findDetails(tx, scope.ownerId, r.id, true)
  const about = paymentContextOfRecord(r, details)
  const list = await payableBills(
    tx,
    scope,
    details.map(d => d.billId),
    r.payDay,
    true,
  )
  const by = new Map(list.map(s => [s.row.id, s]))
  for (const d of details) {
    const s = defined(by.get(d.billId))
    if (s.row.state !== 'normal' || d.principal > s.owed.principal || d.lateFee > s.owed.late)
      refuse(`${d.sourceName} ${d.feeItemName}（${d.billNo}）已有变动，不能恢复这笔收款`)
  }
  // What was rounded off is let off again: the record keeps the sum, which belongs to its last bill.
  const last = details.at(-1)
  const takes = details.map(d => ({
    billId: d.billId,
    principal: d.principal,
    late: d.lateFee,
    off: d === last ? r.roundOff : 0,
  }))
  if (takes.length) {
    await bookPayment(tx, scope, list, takes, {
      day: r.payDay,
      at: r.payTime,
      from: { type: 'pay', id: r.id },
    })
  }
  for (const m of r.methods) {
    await tenderProviderOf(m.method)?.debit(tx, scope, m.amount, about)
  }
  if (r.toPrestore > 0) {
    await requirePrestoreProvider().credit(tx, scope, r.toPrestore, about, 'change')
  }
  await tx.execute(
    sql`
      update pay_record
      set state = ${code(recordState, 'normal')}, void_reason = null, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${r.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'payRecord',
      entityId: r.id,
      projectCode: r.projectCode,
      before: { state: 'voided' },
      after: { state: 'normal' },
    },
  ])
  await publishPaid(tx, scope, {
    recordId: r.id,
    projectCode: r.projectCode,
    days: [r.payDay],
    billIds: takes.map(t => t.billId),
    kind: 'paid',
  })
}

/** Locks the day of a record, which must be open, then the record (CLO-3). */
async function lockRecord(tx: Tx, scope: Scope, id: number): Promise<PayRecord> {
  const seen = await requireById(tx, payRecord, scope, id)
  await lockDay(tx, scope.ownerId, seen.projectCode, seen.payDay)
  await assertDayOpen(tx, scope.ownerId, seen.projectCode, seen.payDay)
  return requireById(tx, payRecord, scope, id, true)
}

export const voidHandlers = [
  writes(voidRecord, async ({ id, reason }, { tx, scope, today }) => {
    const r = await lockRecord(tx, scope, id)
    const no = voidRefusal(r, today)
    if (no) refuse(no)
    await assertNotHandedOver(tx, scope.ownerId, r, '该收款已交账确认，不能作废；请办理退款')
    await undoRecord(tx, scope, r, reason)
  }),
  writes(recoverRecord, async ({ id }, { tx, scope, today }) => {
    const r = await lockRecord(tx, scope, id)
    const no = recoverRefusal(r, today)
    if (no) refuse(no)
    await assertNotHandedOver(tx, scope.ownerId, r, '该收款已交账确认，不能恢复；请重新收款')
    await restoreRecord(tx, scope, r)
  }),
]
