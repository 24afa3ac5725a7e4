import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { outerNumberOf } from '#kit/domain/document-number.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sumFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, findPage } from '#kit/server/table.ts'
import { payRecord, type PayDetail, type PayRecord } from '../contract/record.ts'
import {
  requestRefund,
  auditRefund,
  cancelRefund,
  feeRefund,
  listRefunds,
  getRefund,
  refundFilters,
  retryRefund,
  type FeeRefund,
} from '../contract/refund.ts'
import {
  auditRefusal,
  findRefundLineFaults,
  hasInvoicedPart,
  refundAmountRefusal,
  refundablePartsOf,
  sumRefundLines,
  type RefundLine,
} from '../domain/refund.ts'
import { refundPrefix } from './document-prefixes.ts'
import { channelOfMethod } from './method-channel.ts'
import { findDetails } from './record.ts'
import { askForApproval, declineRefund, endApproval, reopenFollowUp } from './refund-approval.ts'
import { startRefund } from './refund-completion.ts'
import { lockGroup } from './refund-members.ts'
import { reverseRefund } from './refund-reversal.ts'
import {
  addRefundingAmount,
  assertAction,
  findPendingAmounts,
  lockRefund,
  lockRefundedRecord,
  recordAudit,
  setRefundState,
} from './refund-state.ts'
import { canRefundInvoiced, getRefundAuditThreshold } from './settings.ts'
import { tenderProviderOf } from './tenders.ts'

export type RefundRequest = NonNullable<typeof requestRefund.input.T>

/** REF-1, REF-7: refuses what may not go back of a record. */
async function assertRefundable(
  tx: Tx,
  ownerId: Id,
  record: PayRecord,
  details: readonly PayDetail[],
  lines: readonly RefundLine[],
): Promise<void> {
  const parts = refundablePartsOf(details, await findPendingAmounts(tx, ownerId, record.id))
  const faults = findRefundLineFaults(parts, lines)
  if (faults.length)
    throw invalidInput(
      faults.map(fault => ({ Field: `DetailJson[${fault.index}].Principal`, Message: fault.message })),
    )
  const refusal = refundAmountRefusal(record, sumRefundLines(lines), {
    isInvoiced: hasInvoicedPart(parts, lines),
    allowsInvoiced: await canRefundInvoiced(tx, ownerId, record.projectCode),
  })
  if (refusal) refuse(refusal)
}

async function insertRefund(
  tx: Tx,
  scope: Scope,
  record: PayRecord,
  details: readonly PayDetail[],
  input: RefundRequest,
  today: Day,
): Promise<FeeRefund> {
  const billIdByDetail = new Map(details.map(d => [d.id, d.billId]))
  const refundNo = await tx.numbers.next(scope.ownerId, refundPrefix, today)
  return insert(tx, feeRefund, scope, {
    projectCode: record.projectCode,
    refundNo,
    tradeNo: outerNumberOf(refundNo, scope.ownerId),
    subject: 'bills',
    recordId: record.id,
    sourceName: record.sourceName,
    buildCode: record.buildCode,
    payerName: record.payerName,
    lines: input.lines.map(line => ({ ...line, billId: defined(billIdByDetail.get(line.detailId)) })),
    amount: sumRefundLines(input.lines),
    refundWay: input.refundWay,
    billAfter: input.billAfter,
    periodAfter: input.billAfter === 'abolished' ? input.periodAfter : undefined,
    reason: input.reason,
    applyBy: scope.operatorId,
    applyName: scope.name,
    state: 'pending',
  })
}

export interface AskedRefund {
  readonly refund: FeeRefund
  readonly needsApproval: boolean
}

/** Asks for a refund of one payment (REF-2); `startAsked` goes on with it. */
export async function askForRefund(
  tx: Tx,
  scope: Scope,
  input: RefundRequest,
  now: Moment,
): Promise<AskedRefund> {
  const record = await lockRefundedRecord(tx, scope, input.recordId, now)
  if (record.recordType !== 'payment' && record.recordType !== 'deduction')
    refuse('只有收款和冲抵可以这样退款')
  if (record.state === 'voided') refuse('该收款已作废')
  if (record.state === 'refunded') refuse('该收款已全部退款')
  const details = await findDetails(tx, scope.ownerId, record.id, { lock: true })
  await assertRefundable(tx, scope.ownerId, record, details, input.lines)
  if (input.refundWay === 'prestore' && !tenderProviderOf('prestore'))
    throw invalidInput([{ Field: 'RefundWay', Message: '未启用预存账户，不能转预存' }])
  const refund = await insertRefund(tx, scope, record, details, input, dayOfMoment(now))
  await addRefundingAmount(tx, scope.ownerId, record.id, refund.amount)
  // REF-3: a payment refunded in small parts is approved like one that is refunded at once.
  const total = sumFen([record.refundedAmount, record.refundingAmount, refund.amount])
  const threshold = await getRefundAuditThreshold(tx, scope.ownerId, record.projectCode)
  return { refund, needsApproval: total >= threshold }
}

/** A refund that nobody has to approve is done at once (REF-3). */
export async function startAsked(
  tx: Tx,
  scope: Scope,
  { refund, needsApproval }: AskedRefund,
  now: Moment,
): Promise<FeeRefund> {
  const isAsked = await askForApproval(tx, scope, [refund], now)
  if (!isAsked && !needsApproval) {
    await startRefund(tx, scope, refund, now)
  }
  return requireById(tx, feeRefund, scope, refund.id)
}

export const applyForRefund = async (
  tx: Tx,
  scope: Scope,
  input: RefundRequest,
  now: Moment,
): Promise<FeeRefund> => startAsked(tx, scope, await askForRefund(tx, scope, input, now), now)

/** The payment that a refund of bills gives back. */
const lockRecordOf = async (
  tx: Tx,
  scope: Scope,
  { recordId }: Pick<FeeRefund, 'recordId'>,
): Promise<PayRecord | undefined> =>
  recordId === undefined ? undefined : requireById(tx, payRecord, scope, recordId, { lock: true })

export const refundHandlers = [
  reads(listRefunds, (query, { db, scope }) =>
    findPage(db, feeRefund, scope, query, { filters: refundFilters, sums: ['amount'] }),
  ),
  reads(getRefund, ({ id }, { db, scope }) => requireById(db, feeRefund, scope, id)),
  writes(requestRefund, (input, { tx, scope, now }) => applyForRefund(tx, scope, input, now)),
  writes(auditRefund, async ({ id, pass, note }, { tx, scope, now }) => {
    const refund = await lockRefund(tx, scope, id, now)
    assertAction(refund, 'audit')
    const refusal = auditRefusal(refund.applyBy, scope.operatorId)
    if (refusal) throw new Refused(resultCode.invalidInput, refusal)
    if (!pass && !note?.trim()) throw invalidInput([{ Field: 'Note', Message: '请填写驳回的原因' }])
    for (const each of await lockGroup(tx, scope, refund)) {
      assertAction(each, 'audit')
      await recordAudit({ tx, scope, now }, each.id, note)
      await (pass
        ? startRefund(tx, scope, each, now)
        : declineRefund({ tx, scope, now }, each, { isRejected: true, reason: note ?? '' }))
    }
    return requireById(tx, feeRefund, scope, id)
  }),
  writes(cancelRefund, async ({ id, reason }, { tx, scope, now }) => {
    const refund = await lockRefund(tx, scope, id, now)
    assertAction(refund, 'cancel')
    const record = await lockRecordOf(tx, scope, refund)
    if (refund.state === 'doing' && record && channelOfMethod(record.payMethod) !== undefined)
      refuse('退款已提交支付渠道，不能取消；请等渠道的结果')
    if (refund.state === 'done') {
      await reverseRefund(tx, scope, refund, record ?? refuse('预存与押金的退款办结后不能撤销'), now)
      await setRefundState(tx, scope, refund, 'cancelled', {}, reason)
      await reopenFollowUp(tx, scope, refund, reason)
    } else {
      const isUndecided = refund.state === 'pending' || refund.state === 'approving'
      const group = isUndecided ? await lockGroup(tx, scope, refund) : ([refund] as const)
      await endApproval(tx, scope, group[0], reason, now)
      for (const each of group) {
        await declineRefund({ tx, scope, now }, each, { isRejected: false, reason })
      }
    }
    return requireById(tx, feeRefund, scope, id)
  }),
  writes(retryRefund, async ({ id }, { tx, scope, now }) => {
    const refund = await lockRefund(tx, scope, id, now)
    assertAction(refund, 'retry')
    await startRefund(tx, scope, refund, now)
    return requireById(tx, feeRefund, scope, id)
  }),
]
