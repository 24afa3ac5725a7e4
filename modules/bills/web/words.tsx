import type { Tone } from '#kit/contract/field.ts'
import { Choice, Status } from '#kit/web/status.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { useCall } from '#kit/web/query.ts'
import { oneBill } from '../contract/list.ts'
import { later } from '#kit/web/later.tsx'
import type { Bill } from '../contract/bill.ts'
import { billState } from '../contract/choices.ts'
import { refusal, type Action } from '../domain/actions.ts'
import { toBill } from '../domain/row.ts'

const Equation = later(() => import('#kit/web/detail/detail-drawer.tsx').then(m => m.Equation))

/**
 * What a clerk wants to know of a live bill at a glance: in payment, paid, overdue, in part; short for a
 * list's cell, longer where there is room.
 */
function look(b: Bill): { readonly tone: Tone; readonly short: string; readonly long?: string } {
  const part = b.paidPrincipal > 0
  if (b.paying) return { tone: 'doing', short: '支付中' }
  if (b.payState === 'paid')
    return b.refundState === 'none'
      ? { tone: 'done', short: '已缴' }
      : { tone: 'done', short: '部分退款', long: '已缴 · 部分退款' }
  if (b.overdueDays)
    return { tone: 'bad', short: part ? '部分缴纳' : '逾期', long: `逾期 ${b.overdueDays} 天` }
  return part ? { tone: 'todo', short: '部分缴纳' } : { tone: 'open', short: '待缴' }
}

const outOfForce = (b: Bill): boolean => b.state !== 'normal' && !b.paying

export function BillStatus({ of: b, long }: { readonly of: Bill; readonly long?: boolean }) {
  if (outOfForce(b)) return <Choice of={billState} value={b.state} />
  const l = look(b)
  return <Status tone={l.tone}>{(long && l.long) || l.short}</Status>
}

export const statusText = (b: Bill): string => (outOfForce(b) ? billState.rows[b.state][1] : look(b).short)
export const billName = (b: Bill): string => `${b.sourceName} ${b.feeItemName}`

/** Where a bill is found whatever became of it: a list of 正常 ones would not show it. */
export const seeBill = (no: string): string =>
  `/finance/chargemanage/chargeList?view=any&anyState=1&keyword=${encodeURIComponent(no)}`

/** 应收 − 减免 − 已缴 + 违约金 = 未缴 */
const Sum = ({ of: b }: { readonly of: Bill }) => (
  <Equation
    parts={[
      { label: '应收', value: yuan(b.amount) },
      { sign: '−', label: '减免', value: yuan(b.discountAmount) },
      { sign: '−', label: '已缴', value: yuan(b.paidPrincipal) },
      { sign: '+', label: '违约金', value: yuan(b.lateFeeUnpaid) },
    ]}
    sum={{ label: '未缴', value: yuan(b.unpaid), bad: b.unpaid > 0 && b.state === 'normal' }}
  />
)

/** As of today: the list may still show what the night's job wrote. */
export function BillEquation({ of: b }: { readonly of: Bill }) {
  const now = useCall(oneBill, { id: b.id }, { quiet: true, keep: true }).data
  return <Sum of={now?.id === b.id ? { ...b, lateFeeUnpaid: now.lateFeeUnpaid, unpaid: now.unpaid } : b} />
}

/** The same table that the server asks. Whether a payment is under way the server has said. */
export const whyNot = (action: Action, b: Bill): string | undefined =>
  refusal(
    action,
    { ...toBill(b), lockedUntil: b.paying ? '9999-12-31 00:00:00' : undefined },
    { now: '0001-01-01 00:00:00', children: [] },
  )
