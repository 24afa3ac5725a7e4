import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { offlineMethods } from '../contract/choices.ts'
import type { PayDetail, PayRecord } from '../contract/record.ts'
import type { FeeRefund } from '../contract/refund.ts'
import type { RefundablePart } from './refund.ts'

const immediateMethods: ReadonlySet<string> = new Set([...offlineMethods, 'prestore', 'parkCoupon'])

type VoidableRecord = Pick<
  PayRecord,
  'recordType' | 'state' | 'methods' | 'payDay' | 'invoicedAmount' | 'refundingAmount'
>

/** Why a record may not be voided (PAY-21), in words that say what to do; nothing when it may. */
export function voidRefusal(r: VoidableRecord, today: Day): string | undefined {
  if (r.recordType !== 'payment') return '只有收款记录可以作废'
  if (r.state !== 'normal') return r.state === 'voided' ? '该记录已作废' : '已有退款的收款不能作废'
  if (r.methods.some(m => !immediateMethods.has(m.method))) return '线上支付的款项不能作废，请办理退款'
  if (r.payDay !== today) return '只能作废当天的收款，以前的请办理退款'
  if (r.invoicedAmount > 0) return '该缴费已开票，请先红冲发票'
  return r.refundingAmount > 0 ? '该缴费正在退款，请先取消退款' : undefined
}

/** Why a voided record may not come back (PAY-21). */
export const recoverRefusal = (r: Pick<PayRecord, 'state' | 'payDay'>, today: Day): string | undefined =>
  r.state !== 'voided'
    ? '只有已作废的收款可以恢复'
    : r.payDay !== today
      ? '只能恢复当天作废的收款'
      : undefined

/** Why nothing of a record may be asked back as bills (REF-1). */
export function refundRequestRefusal(
  r: Pick<
    PayRecord,
    | 'recordType'
    | 'state'
    | 'receivedAmount'
    | 'changeAmount'
    | 'toPrestore'
    | 'refundedAmount'
    | 'refundingAmount'
  >,
): string | undefined {
  if (r.recordType !== 'payment' && r.recordType !== 'deduction')
    return r.recordType === 'prestore'
      ? '预存请在预存账户办理退款'
      : r.recordType === 'deposit'
        ? '押金请在押金管理办理退还'
        : '退款记录不能再退'
  if (r.state === 'voided') return '该收款已作废'
  if (r.state === 'refunded') return '该收款已全部退款'
  return refundableAmount(r) > 0 ? undefined : '剩余金额都在退款中，请先办完'
}

/** REF-1: what may still go back of a record. */
export const refundableAmount = (
  r: Pick<PayRecord, 'receivedAmount' | 'changeAmount' | 'toPrestore' | 'refundedAmount' | 'refundingAmount'>,
): Fen => r.receivedAmount - r.changeAmount - r.toPrestore - r.refundedAmount - r.refundingAmount

const openRefundStates: ReadonlySet<string> = new Set(['pending', 'doing', 'failed'])

/** What may still go back of each bill, other refunds under way taken off. */
export function refundablePartsOf(
  details: readonly Pick<
    PayDetail,
    'id' | 'billNo' | 'principal' | 'lateFee' | 'refundedPrincipal' | 'refundedLateFee'
  >[],
  others: readonly Pick<FeeRefund, 'state' | 'lines'>[],
): RefundablePart[] {
  const asked = others.filter(o => openRefundStates.has(o.state)).flatMap(o => o.lines)
  return details.map(d => {
    const mine = asked.filter(l => l.detailId === d.id)
    return {
      id: d.id,
      billNo: d.billNo,
      principal: d.principal,
      late: d.lateFee,
      backPrincipal: d.refundedPrincipal,
      backLate: d.refundedLateFee,
      askedPrincipal: mine.reduce((n, l) => n + l.principal, 0),
      askedLate: mine.reduce((n, l) => n + l.late, 0),
    }
  })
}

export const maxRefundOf = (p: RefundablePart): { readonly principal: Fen; readonly late: Fen } => ({
  principal: p.principal - p.backPrincipal - p.askedPrincipal,
  late: p.late - p.backLate - p.askedLate,
})
