import type { Day } from '#kit/domain/day.ts'
import { offlineMethods, offsetMethods } from '../contract/choices.ts'
import type { PayRecord } from '../contract/record.ts'

const immediateMethods: ReadonlySet<string> = new Set([...offlineMethods, ...offsetMethods])

type VoidableRecord = Pick<
  PayRecord,
  'recordType' | 'state' | 'methods' | 'payDay' | 'invoicedAmount' | 'refundingAmount'
>

/** Why a record cannot be voided (PAY-21), with what to do instead; undefined when it can. */
export function voidRefusal(r: VoidableRecord, today: Day): string | undefined {
  if (r.recordType !== 'payment') return '只有收款记录可以作废'
  if (r.state !== 'normal') return r.state === 'voided' ? '该记录已作废' : '已有退款的收款不能作废'
  if (r.methods.some(m => !immediateMethods.has(m.method))) return '线上支付的款项不能作废，请办理退款'
  // What is taken after the day was closed belongs to the next one, and may be voided at once.
  if (r.payDay < today) return '只能作废当天的收款，以前的请办理退款'
  if (r.invoicedAmount > 0) return '该缴费已开票，请先红冲发票'
  return r.refundingAmount > 0 ? '该缴费正在退款，请先取消退款' : undefined
}

/** Why a voided record cannot be recovered (PAY-21). */
export const recoverRefusal = (r: Pick<PayRecord, 'state' | 'payDay'>, today: Day): string | undefined =>
  r.state !== 'voided' ? '只有已作废的收款可以恢复' : r.payDay < today ? '只能恢复当天作废的收款' : undefined
