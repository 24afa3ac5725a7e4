import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { code, touch } from '#kit/server/sql.ts'
import {
  payableBills,
  payRefusal,
  bookPayment,
  undoBooking,
  type PayableBill,
} from '#modules/bills/server/public.ts'
import {
  registerApprovalKind,
  requestApproval,
  requiresApproval,
  resubmitApproval,
  waitsForApproval,
} from '#modules/approvals/server/public.ts'
import { voidKind } from '../contract/approval-kinds.ts'
import { handoverState, recordState } from '../contract/choices.ts'
import { payRecord, recoverRecord, voidRecord, type PayDetail, type PayRecord } from '../contract/record.ts'
import { restoreRoundOff, type BillShare } from '../domain/payment-split.ts'
import { recoverRefusal, voidRefusal } from '../domain/void.ts'
import { paths } from '../module.ts'
import { findDetails } from './record.ts'
import { assertDayOpen, lockDay } from './day-lock.ts'
import { paymentContextOfRecord } from './payment-context.ts'
import { getPayRules } from './settings.ts'
import { tenderProviderOf, publishPaid, requirePrestoreProvider } from './tenders.ts'

/** PAY-23: what a confirmed handover lists is not changed any more. */
export const assertNotHandedOver = async (
  tx: Tx,
  ownerId: Id,
  record: Pick<PayRecord, 'handoverId'>,
  refusal: string,
): Promise<void> => {
  if (
    record.handoverId &&
    (await tx.one(
      sql`
        select 1 as found
        from cashier_handover
        where owner_id = ${ownerId}
          and id = ${record.handoverId}
          and state = ${code(handoverState, 'confirmed')}
      `,
    ))
  )
    refuse(refusal)
}

const auditState = (
  tx: Tx,
  scope: Scope,
  record: PayRecord,
  state: 'normal' | 'voided',
  reason?: string,
): Promise<void> =>
  audit(tx, scope, [
    {
      action: 'state',
      entity: 'payRecord',
      entityId: record.id,
      projectCode: record.projectCode,
      before: { state: record.state },
      after: { state },
      ...(reason === undefined ? {} : { reason }),
    },
  ])

/** A later payment of the same bills was counted on top of this one, and goes first. */
async function assertNewest(tx: Tx, { ownerId }: Scope, { id }: PayRecord): Promise<void> {
  const newer = await tx.one<{ no: string }>(
    sql`
      select p.record_no as no
      from pay_detail own
      join pay_detail d on d.owner_id = ${ownerId} and d.bill_id = own.bill_id and d.record_id > ${id}
      join pay_record p on p.owner_id = ${ownerId} and p.id = d.record_id
      where own.owner_id = ${ownerId} and own.record_id = ${id} and p.state <> ${code(recordState, 'voided')}
      limit 1
    `,
  )
  if (newer) refuse(`这些账单此后又有收款（${newer.no}），请先作废该收款`)
}

async function undoRecord(tx: Tx, scope: Scope, record: PayRecord, reason: string): Promise<void> {
  const details = await findDetails(tx, scope.ownerId, record.id, { lock: true })
  const context = paymentContextOfRecord(record, details)
  await undoBooking(tx, scope, { type: 'pay', id: record.id })
  for (const { method, amount } of record.methods) {
    await tenderProviderOf(method)?.reverseDebit(tx, scope, amount, context)
  }
  if (record.toPrestore > 0) {
    await requirePrestoreProvider().reverseCredit(tx, scope, record.toPrestore, context)
  }
  await tx.execute(
    sql`
      update pay_record
      set state = ${code(recordState, 'voided')}, void_reason = ${reason}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${record.id}
    `,
  )
  await auditState(tx, scope, record, 'voided', reason)
  await publishPaid(tx, scope, {
    recordId: record.id,
    projectCode: record.projectCode,
    days: [record.payDay],
    billIds: details.map(detail => detail.billId),
    kind: 'undone',
  })
}

const labelOfDetail = ({ sourceName, feeItemName, billNo }: PayDetail): string =>
  `${sourceName} ${feeItemName}（${billNo}）`

const changedRefusal = (detail: PayDetail): string => `${labelOfDetail(detail)}已有变动，不能恢复该收款`

/** The bills of a voided record, which must still owe what it had paid. */
async function lockUnchangedBills(
  tx: Tx,
  scope: Scope,
  record: PayRecord,
  details: readonly PayDetail[],
  now: Moment,
): Promise<PayableBill[]> {
  const billIds = details.map(detail => detail.billId)
  const bills = await payableBills(tx, scope, billIds, record.payDay, { lock: true })
  const billById = new Map(bills.map(bill => [bill.row.id, bill]))
  for (const detail of details) {
    const { row, owed } = defined(billById.get(detail.billId))
    if (row.state !== 'normal' || detail.principal > owed.principal || detail.lateFee > owed.late)
      refuse(changedRefusal(detail))
    // A pay order that is open holds the bill: paid by both it would be paid twice.
    const refusal = payRefusal(row, now)
    if (refusal) refuse(`${labelOfDetail(detail)}：${refusal}`)
  }
  return bills
}

/** What each bill of the record gets again, with what was let off of it. */
function restoreAllocations(
  record: PayRecord,
  details: readonly PayDetail[],
  bills: readonly PayableBill[],
): readonly BillShare[] {
  const paid = details.map(({ billId, principal, lateFee }) => ({ billId, principal, late: lateFee }))
  const owedPrincipal = new Map(bills.map(({ row, owed }) => [row.id, owed.principal]))
  const lastDetail = details.at(-1)
  return (
    restoreRoundOff(paid, owedPrincipal, record.roundOff) ??
    refuse(lastDetail ? changedRefusal(lastDetail) : '抹零的账单已有变动，不能恢复该收款')
  )
}

async function restoreRecord(tx: Tx, scope: Scope, record: PayRecord, now: Moment): Promise<void> {
  const details = await findDetails(tx, scope.ownerId, record.id, { lock: true })
  const context = paymentContextOfRecord(record, details)
  const bills = await lockUnchangedBills(tx, scope, record, details, now)
  const allocations = restoreAllocations(record, details, bills)
  // LATE-9: what the payment waived is owed since it was voided, and is waived again.
  const rules = await getPayRules(tx, scope.ownerId, record.projectCode)
  if (allocations.length) {
    await bookPayment(tx, scope, bills, allocations, {
      day: record.payDay,
      at: record.payTime,
      from: { type: 'pay', id: record.id },
      waiveLeft: rules.waiveRemainingLateFee,
    })
  }
  for (const { method, amount } of record.methods) {
    await tenderProviderOf(method)?.debit(tx, scope, amount, context)
  }
  if (record.toPrestore > 0) {
    await requirePrestoreProvider().credit(tx, scope, record.toPrestore, context, 'change')
  }
  await tx.execute(
    sql`
      update pay_record
      set state = ${code(recordState, 'normal')}, void_reason = null, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${record.id}
    `,
  )
  await auditState(tx, scope, record, 'normal')
  await publishPaid(tx, scope, {
    recordId: record.id,
    projectCode: record.projectCode,
    days: [record.payDay],
    billIds: allocations.map(allocation => allocation.billId),
    kind: 'paid',
  })
}

/** Locks the day of a record, which must be open, then the record (CLO-3). */
async function lockRecord(tx: Tx, scope: Scope, id: Id): Promise<PayRecord> {
  const seen = await requireById(tx, payRecord, scope, id)
  await lockDay(tx, scope.ownerId, seen.projectCode, seen.payDay)
  await assertDayOpen(tx, scope.ownerId, seen.projectCode, seen.payDay)
  return requireById(tx, payRecord, scope, id, { lock: true })
}

/** A record that may be voided today (PAY-21), locked. */
async function lockVoidable(
  { tx, scope, today }: Pick<WriteContext, 'tx' | 'scope' | 'today'>,
  id: Id,
): Promise<PayRecord> {
  const record = await lockRecord(tx, scope, id)
  const refusal = voidRefusal(record, today)
  if (refusal) refuse(refusal)
  await assertNotHandedOver(tx, scope.ownerId, record, '该收款已交账确认，不能作废；请办理退款')
  await assertNewest(tx, scope, record)
  return record
}

const voidRequestOf = (record: PayRecord, reason: string) => {
  const { recordNo, sourceName, receivedAmount: amount } = record
  return {
    bizId: record.id,
    title: `作废收款 ${recordNo}`,
    form: { recordNo, sourceName, amount, reason },
    projectCode: record.projectCode,
  }
}

/** Whether the voiding waits for an approval that a definition of the company asks for. */
async function askForVoid(c: WriteContext, record: PayRecord, reason: string): Promise<boolean> {
  const request = voidRequestOf(record, reason)
  if (!(await requiresApproval(c.tx, c.scope, voidKind, request.form))) return false
  if (await waitsForApproval(c.tx, c.scope, voidKind, record.id))
    return refuse('该收款的作废已在审批中，请等待审批结果')
  await requestApproval(c, voidKind, request)
  return true
}

registerApprovalKind(voidKind, {
  // The day is before every row (day-lock.ts).
  lock: async (c, { bizId }) => {
    await lockRecord(c.tx, c.scope, bizId)
  },
  onApproved: async (c, { bizId, form }) => {
    await undoRecord(c.tx, c.scope, await lockVoidable(c, bizId), form.reason)
  },
  amendable: () => ['reason'],
  resubmit: async (c, { bizId, form: { reason } }, chosen) => {
    const record = await lockVoidable(c, bizId)
    const how = await resubmitApproval(c, voidKind, { ...voidRequestOf(record, reason), chosen })
    if (how === 'notRequired') {
      await undoRecord(c.tx, c.scope, record, reason)
    }
  },
  link: ({ bizId }) => paths.recordDetail.replace(':id', String(bizId)),
})

export const voidHandlers = [
  writes(voidRecord, async ({ id, reason }, c) => {
    const record = await lockVoidable(c, id)
    const isPending = await askForVoid(c, record, reason)
    if (!isPending) {
      await undoRecord(c.tx, c.scope, record, reason)
    }
    return { isPending }
  }),
  writes(recoverRecord, async ({ id }, { tx, scope, today, now }) => {
    const record = await lockRecord(tx, scope, id)
    const refusal = recoverRefusal(record, today)
    if (refusal) refuse(refusal)
    await assertNotHandedOver(tx, scope.ownerId, record, '该收款已交账确认，不能恢复；请重新收款')
    await restoreRecord(tx, scope, record, now)
  }),
]
