import type { ChoiceOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { outerNumberOf } from '#kit/domain/document-number.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { requestApproval, requiresApproval } from '#modules/approvals/server/public.ts'
import { refundKind } from '../contract/approval-kinds.ts'
import type { refundSubject } from '../contract/choices.ts'
import { feeRefund, type FeeRefund } from '../contract/refund.ts'
import { refundWayOf } from '../domain/refund.ts'
import { refundPrefix } from './document-prefixes.ts'
import type { PayMethod } from './tenders.ts'

export type BalanceSubject = Exclude<ChoiceOf<typeof refundSubject>, 'bills'>

export type RefundContext = Pick<WriteContext, 'tx' | 'scope' | 'now'>

/** What is paid out of an account or a deposit once it is approved. */
export interface BalanceRefund {
  readonly subjectId: Id
  readonly amount: Fen
  readonly method: PayMethod
  readonly reason: string
  /** Who asked: the payer stands at that counter (PAY-23). */
  readonly cashier: { readonly id: number; readonly name: string }
}

/**
 * Money that lies somewhere else than on bills. What a refund asks for is reserved until it is paid or
 * declined, so that nothing leaves twice (REF-1). The caller has locked the day.
 */
export interface RefundSubject {
  readonly reserve: (c: RefundContext, refund: BalanceRefund) => Promise<void>
  /** Pays what was reserved; returns the record of it. */
  readonly payOut: (c: RefundContext, refund: BalanceRefund) => Promise<Id>
  readonly release: (c: RefundContext, refund: BalanceRefund) => Promise<void>
}

const subjects = new Map<BalanceSubject, RefundSubject>()

/** The module that keeps the money says how it leaves; once, while it is loaded. */
export const registerRefundSubject = (key: BalanceSubject, subject: RefundSubject): void => {
  subjects.set(key, subject)
}

export interface SubjectOfRefund {
  readonly subject: RefundSubject
  readonly request: BalanceRefund
}

/** The subject and request of a balance refund; undefined for a refund of bills. */
export function subjectOfRefund(refund: FeeRefund): SubjectOfRefund | undefined {
  if (refund.subject === 'bills') return undefined
  const { amount, reason, applyBy, applyName } = refund
  return {
    subject: defined(subjects.get(refund.subject)),
    request: {
      subjectId: defined(refund.subjectId),
      amount,
      method: defined(refund.method),
      reason,
      cashier: { id: applyBy, name: applyName },
    },
  }
}

export const approvalFormOf = (refund: Omit<FeeRefund, 'id'>) => {
  const { refundNo, subject, sourceName, payerName, amount, refundWay, billAfter, reason } = refund
  return { refundNo, subject, sourceName, payerName, amount, refundWay, billAfter, reason }
}

/** The request of a stored refund. */
export const requestOf = (refund: FeeRefund) => ({
  bizId: refund.id,
  title: `${refund.sourceName} 退款 ${refund.refundNo}`,
  form: approvalFormOf(refund),
  projectCode: refund.projectCode,
})

export interface BalanceRefundRequest {
  readonly subject: BalanceSubject
  readonly subjectId: Id
  readonly projectCode: string
  readonly sourceName: string
  readonly buildCode?: string | undefined
  readonly payerName?: string | undefined
  readonly amount: Fen
  readonly method: PayMethod
  readonly reason: string
}

/**
 * Has a refund of prestore or of a deposit approved where a definition of the company asks somebody for it.
 * Without one nothing is written, and the caller pays at once.
 */
export async function askForBalanceRefund(
  { tx, scope, now }: RefundContext,
  request: BalanceRefundRequest,
): Promise<FeeRefund | undefined> {
  const draft = draftOf(request, scope)
  const form = approvalFormOf({ ...draft, refundNo: '' })
  if (!(await requiresApproval(tx, scope, refundKind, form))) return undefined
  const refundNo = await tx.numbers.next(scope.ownerId, refundPrefix, dayOfMoment(now))
  const refund = await insert(tx, feeRefund, scope, {
    ...draft,
    refundNo,
    tradeNo: outerNumberOf(refundNo, scope.ownerId),
  })
  const { subject, request: reserved } = defined(subjectOfRefund(refund))
  await subject.reserve({ tx, scope, now }, reserved)
  await requestApproval({ tx, scope, now }, refundKind, requestOf(refund))
  return requireById(tx, feeRefund, scope, refund.id)
}

const draftOf = (request: BalanceRefundRequest, scope: Scope) => ({
  ...request,
  lines: [],
  refundWay: refundWayOf(request.method),
  applyBy: scope.operatorId,
  applyName: scope.name,
  isReturned: false,
  state: 'approving' as const,
})
