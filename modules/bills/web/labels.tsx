import { paths } from './paths.ts'
import type { Tone } from '#kit/contract/field.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { getBill } from '../contract/bill-detail.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Bill } from '../contract/bill.ts'
import { billState } from '../contract/choices.ts'
import { newestBill } from '../domain/newest-bill.ts'
import { refusalOf, type BillAction } from '../domain/actions.ts'
import { toBill } from '../domain/bill-row.ts'

const Equation = lazyComponent(() => import('#kit/web/detail/detail-drawer.tsx').then(m => m.Equation))

/**
 * What a clerk wants to know of a live bill at a glance: in payment, paid, overdue, in part; short for a
 * list's cell, longer where there is room.
 */
function describeStatus(bill: Bill): { readonly tone: Tone; readonly short: string; readonly long?: string } {
  const part = bill.paidPrincipal > 0
  if (bill.paying) return { tone: 'doing', short: '支付中' }
  if (bill.payState === 'paid')
    return bill.refundState === 'none'
      ? { tone: 'done', short: '已缴' }
      : { tone: 'done', short: '部分退款', long: '已缴 · 部分退款' }
  if (bill.overdueDays)
    return {
      tone: part ? 'todo' : 'bad',
      short: part ? '部分缴纳' : '逾期',
      long: `逾期 ${bill.overdueDays} 天`,
    }
  return part ? { tone: 'todo', short: '部分缴纳' } : { tone: 'open', short: '待缴' }
}

const isOutOfForce = (b: Bill): boolean => b.state !== 'normal' && !b.paying

export function BillStatus({ of: b, long }: { readonly of: Bill; readonly long?: boolean }) {
  if (isOutOfForce(b)) return <ChoiceStatus choices={billState} value={b.state} />
  const l = describeStatus(b)
  return <Status tone={l.tone}>{(long && l.long) || l.short}</Status>
}

export const statusText = (b: Bill): string =>
  isOutOfForce(b) ? billState.rows[b.state][1] : describeStatus(b).short
export const billName = (b: Bill): string => `${b.sourceName} ${b.feeItemName}`

/** Where a bill is found whatever became of it: a list of 正常 ones would not show it. */
export const billPath = (no: string): string =>
  `${paths.bills}?view=any&anyState=1&keyword=${encodeURIComponent(no)}`

/** 原始金额 − 减免 − 已收本金 + 未收违约金 = 未缴 */
const MoneyEquation = ({ of: bill }: { readonly of: Bill }) => (
  <Equation
    parts={[
      { label: '原始金额', value: displayYuan(bill.amount) },
      { sign: '−', label: '减免', value: displayYuan(bill.discountAmount) },
      { sign: '−', label: '已收本金', value: displayYuan(bill.paidPrincipal) },
      { sign: '+', label: '未收违约金', value: displayYuan(bill.lateFeeUnpaid) },
    ]}
    sum={{ label: '未缴', value: displayYuan(bill.unpaid), bad: bill.unpaid > 0 && bill.state === 'normal' }}
  />
)

/** Computed for today: the list shows the late fee of last night. */
export function BillEquation({ of: b }: { readonly of: Bill }) {
  const now = useCall(getBill, { id: b.id }, { quiet: true, keepPrevious: true }).data
  return <MoneyEquation of={newestBill<Bill, Bill>(b, now)} />
}

/** Asks the same rules as the server; whether a payment is in progress comes from the server. */
export const findActionRefusal = (action: BillAction, bill: Bill): string | undefined =>
  refusalOf(
    action,
    { ...toBill(bill), lockedUntil: bill.paying ? '9999-12-31 00:00:00' : undefined },
    { now: '0001-01-01 00:00:00', children: [] },
  )
