import type { Day } from '#kit/domain/day.ts'
import { offlineMethods, offsetMethods } from '../contract/choices.ts'
import type { PayRecord } from '../contract/record.ts'

const immediateMethods: ReadonlySet<string> = new Set([...offlineMethods, ...offsetMethods])

type VoidableRecord = Pick<
  PayRecord,
  'recordType' | 'state' | 'methods' | 'payDay' | 'invoicedAmount' | 'refundingAmount'
>

/** Why a record cannot be voided (PAY-21), with what to do instead; undefined when it can. */
export function voidRefusal(record: VoidableRecord, today: Day): string | undefined {
  if (record.recordType !== 'payment') return '只有收款记录可以作废'
  if (record.state !== 'normal') return record.state === 'voided' ? '该记录已作废' : '已有退款的收款不能作废'
  if (record.methods.some(m => !immediateMethods.has(m.method))) return '线上支付的款项不能作废，请办理退款'
  // What is taken after the day was closed belongs to the next one, and may be voided at once.
  if (record.payDay < today) return '只能作废当天的收款，以前的请办理退款'
  if (record.invoicedAmount > 0) return '该缴费已开票，请先红冲发票'
  return record.refundingAmount > 0 ? '该缴费正在退款，请先取消退款' : undefined
}

/** The same for a record as lists show it: shown before a reason is asked for. */
export const listedVoidRefusal = (
  record: VoidableRecord & Pick<PayRecord, 'dayClosed'>,
  today: Day,
): string | undefined => (record.dayClosed ? '当天已日结，请办理退款' : voidRefusal(record, today))

/** Why a voided record cannot be recovered (PAY-21). */
export const recoverRefusal = (r: Pick<PayRecord, 'state' | 'payDay'>, today: Day): string | undefined =>
  r.state !== 'voided' ? '只有已作废的收款可以恢复' : r.payDay < today ? '只能恢复当天作废的收款' : undefined
