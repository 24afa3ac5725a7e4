import type { Id } from '#kit/domain/id.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { addFen, displayYuan, minFen, type Fen, subtractFen, sumFen } from '#kit/domain/money.ts'
import { refundState } from '../contract/choices.ts'
import type { PayDetail, PayRecord } from '../contract/record.ts'

export type RefundState = ChoiceOf<typeof refundState>

/** C6.1 */
export const refundStates = defineStateMachine<RefundState>(
  {
    pending: ['doing', 'rejected', 'cancelled'],
    approving: ['doing', 'rejected', 'cancelled'],
    doing: ['done', 'failed', 'cancelled'],
    done: ['cancelled'],
    rejected: [],
    cancelled: [],
    failed: ['doing', 'cancelled'],
  },
  { state: s => labelOf(refundState, s) },
)

/** What moves a refund on, and from which states (C6.1): what nobody has approved yet is not tried again. */
const statesOfAction = {
  audit: ['pending'],
  approve: ['approving'],
  retry: ['failed'],
  cancel: refundStates.previousStates('cancelled'),
} as const satisfies Record<string, readonly RefundState[]>

export type RefundAction = keyof typeof statesOfAction

const actionTexts: Readonly<Record<RefundAction, string>> = {
  audit: '审核',
  approve: '审批通过',
  retry: '重试',
  cancel: '取消',
}

/** Why an action is refused in a state, in the user's words; undefined where it may be done. */
export function refundActionRefusal(action: RefundAction, state: RefundState): string | undefined {
  const allowed: readonly RefundState[] = statesOfAction[action]
  if (allowed.includes(state)) return undefined
  if (action === 'audit' && state === 'approving') return '该退款正在审批，请在「我的审批」中处理'
  const names = allowed.map(from => `“${labelOf(refundState, from)}”`).join('、')
  return `退款当前为“${labelOf(refundState, state)}”，只有${names}的退款可以${actionTexts[action]}`
}

/**
 * A bill's part of a payment as refunds see it, fen. `refunded*` has gone back, `pending*` is what other open
 * refunds ask for, `invoiced` is on an invoice.
 */
export interface RefundablePart {
  readonly id: Id
  readonly billNo: string
  readonly principal: Fen
  readonly late: Fen
  readonly refundedPrincipal: Fen
  readonly refundedLate: Fen
  readonly pendingPrincipal: Fen
  readonly pendingLate: Fen
  readonly invoiced: Fen
}

export interface RefundAmounts {
  readonly principal: Fen
  readonly late: Fen
}

export interface RefundLine extends RefundAmounts {
  readonly detailId: Id
}

/** States of a refund that still claims its money. */
export const openRefundStates = [
  'pending',
  'approving',
  'doing',
  'failed',
] as const satisfies readonly RefundState[]

const openRefundStateSet: ReadonlySet<RefundState> = new Set(openRefundStates)

/** What open refunds ask for, by detail. */
export function sumPendingLines(
  refunds: readonly { readonly state: RefundState; readonly lines: readonly RefundLine[] }[],
): ReadonlyMap<Id, RefundAmounts> {
  const sums = new Map<Id, RefundAmounts>()
  for (const line of refunds.filter(r => openRefundStateSet.has(r.state)).flatMap(r => r.lines)) {
    const sum = sums.get(line.detailId) ?? { principal: 0, late: 0 }
    sums.set(line.detailId, {
      principal: addFen(sum.principal, line.principal),
      late: addFen(sum.late, line.late),
    })
  }
  return sums
}

export const refundablePartsOf = (
  details: readonly Pick<
    PayDetail,
    'id' | 'billNo' | 'principal' | 'lateFee' | 'refundedPrincipal' | 'refundedLateFee' | 'invoicedAmount'
  >[],
  pending: ReadonlyMap<Id, RefundAmounts>,
): RefundablePart[] =>
  details.map(detail => ({
    id: detail.id,
    billNo: detail.billNo,
    principal: detail.principal,
    late: detail.lateFee,
    refundedPrincipal: detail.refundedPrincipal,
    refundedLate: detail.refundedLateFee,
    pendingPrincipal: pending.get(detail.id)?.principal ?? 0,
    pendingLate: pending.get(detail.id)?.late ?? 0,
    invoiced: detail.invoicedAmount,
  }))

/** REF-1: received − refunded − refunding, per bill. */
export const maxRefundOf = (part: RefundablePart): RefundAmounts => ({
  principal: subtractFen(part.principal, part.refundedPrincipal, part.pendingPrincipal),
  late: subtractFen(part.late, part.refundedLate, part.pendingLate),
})

/** What is wrong with requested lines, by their position; empty when all may go back (REF-1). */
export function findRefundLineFaults(
  parts: readonly RefundablePart[],
  lines: readonly RefundLine[],
): { readonly index: number; readonly message: string }[] {
  const partById = new Map(parts.map(p => [p.id, p]))
  const seen = new Set<Id>()
  return lines.flatMap((line, index) => {
    const message = lineFault(partById.get(line.detailId), line, seen.has(line.detailId))
    seen.add(line.detailId)
    return message ? [{ index, message }] : []
  })
}

function lineFault(
  part: RefundablePart | undefined,
  line: RefundLine,
  isRepeated: boolean,
): string | undefined {
  if (!part) return '该账单不在该收款中'
  if (isRepeated) return '同一账单只能填一行'
  const max = maxRefundOf(part)
  if (line.principal > max.principal || line.late > max.late)
    return `${part.billNo} 最多可退本金 ${displayYuan(max.principal)} 元、违约金 ${displayYuan(max.late)} 元`
  return line.principal + line.late > 0 ? undefined : '退款金额应大于零'
}

/**
 * REF-7: whether the lines reach into what is on an invoice; what was never invoiced may go back without it.
 */
export const hasInvoicedPart = (parts: readonly RefundablePart[], lines: readonly RefundLine[]): boolean =>
  lines.some(line => {
    const part = parts.find(p => p.id === line.detailId)
    if (!part) return false
    const max = maxRefundOf(part)
    return line.principal + line.late > max.principal + max.late - part.invoiced
  })

/** With these amounts all of a bill's part of a payment has gone back; its round-off goes back too. */
export const isRefundedWhole = (
  part: Pick<PayDetail, 'principal' | 'lateFee' | 'refundedPrincipal' | 'refundedLateFee'>,
  line: RefundAmounts | undefined,
): boolean =>
  line !== undefined &&
  part.refundedPrincipal + line.principal === part.principal &&
  part.refundedLateFee + line.late === part.lateFee

export const sumRefundLines = (lines: readonly RefundLine[]): Fen =>
  sumFen(lines.map(line => addFen(line.principal, line.late)))

/** REF-3: the applicant may not also approve. */
export const auditRefusal = (applicant: number, auditor: number): string | undefined =>
  applicant === auditor ? '申请人不能审核自己的退款，请由其他人审核' : undefined

type RecordAmounts = Pick<
  PayRecord,
  'tenderedAmount' | 'changeAmount' | 'toPrestore' | 'refundedAmount' | 'refundingAmount'
>

/** REF-1: what of a record may still be asked back, fen; change and what became prestore never. */
export const refundableAmount = (r: RecordAmounts): Fen =>
  subtractFen(r.tenderedAmount, r.changeAmount, r.toPrestore, r.refundedAmount, r.refundingAmount)

const otherTypeRefusals: Readonly<Partial<Record<PayRecord['recordType'], string>>> = {
  prestore: '预存请在预存账户办理退款',
  deposit: '押金请在押金管理办理退还',
  refund: '退款记录不能再退',
}

/** Why nothing of a record may be asked back as bills (REF-1). */
export function refundRequestRefusal(
  record: RecordAmounts & Pick<PayRecord, 'recordType' | 'state'>,
): string | undefined {
  const typeRefusal = otherTypeRefusals[record.recordType]
  if (typeRefusal) return typeRefusal
  if (record.state === 'voided') return '该收款已作废'
  if (record.state === 'refunded') return '该收款已全部退款'
  return refundableAmount(record) > 0 ? undefined : '剩余金额均在退款中，请先办结'
}

/**
 * Why `amount` may not go back (REF-1, REF-7). `isInvoiced`: it reaches into what was invoiced;
 * `allowsInvoiced`: the project allows that and marks the invoice for a red-letter invoice.
 */
export function refundAmountRefusal(
  record: RecordAmounts,
  amount: Fen,
  { isInvoiced, allowsInvoiced }: { readonly isInvoiced: boolean; readonly allowsInvoiced: boolean },
): string | undefined {
  if (!Number.isInteger(amount) || amount <= 0) return '退款金额应大于零'
  if (amount > refundableAmount(record)) return `最多可退 ${displayYuan(refundableAmount(record))} 元`
  return isInvoiced && !allowsInvoiced ? '该缴费已开票，请先红冲发票再退款' : undefined
}

/** How money of an account or a deposit goes back, by what it is paid with. */
export const refundWayOf = (method: string | undefined): 'cash' | 'transfer' =>
  method === 'cash' ? 'cash' : 'transfer'

/** An amount out of several payments in their order: all of one before the next. */
export function splitNewestFirst<P extends { readonly principal: Fen }>(
  payments: readonly P[],
  amount: Fen,
): (P & { readonly part: Fen })[] {
  let rest = amount
  return payments.flatMap(payment => {
    const part = minFen(payment.principal, rest)
    rest = subtractFen(rest, part)
    return part > 0 ? [{ ...payment, part }] : []
  })
}
