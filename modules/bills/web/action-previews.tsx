import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import type { Bill } from '../contract/bill.ts'
import { applyDiscount, percentToFraction, splitByAmount, splitByDate } from '../domain/adjustment.ts'
import { toBill } from '../domain/bill-row.ts'

export interface AffectedBills {
  readonly bills: readonly Bill[]
  readonly count: number
  readonly sum: (key: 'receivable' | 'unpaid' | 'lateFeeUnpaid') => Fen
}

const isDecimal = (v: string | undefined): v is string => v !== undefined && /^\d{1,3}(\.\d{1,4})?$/.test(v)

export const Note = ({ children, bad }: { readonly children: React.ReactNode; readonly bad?: boolean }) => (
  <p className={bad ? 'bill-note bad' : 'bill-note'} role="status">
    {children}
  </p>
)

type DiscountValues = { readonly kind?: string; readonly amount?: Fen; readonly percent?: string }

const parseDiscount = (v: DiscountValues) =>
  v.kind === 'rate'
    ? isDecimal(v.percent) && { kind: 'rate' as const, off: percentToFraction(v.percent) }
    : v.amount !== undefined && { kind: 'amount' as const, off: v.amount }

/**
 * The change of discount in fen, by the rule of the server; for all bills of a filter the most that it can
 * be.
 */
export const sumDiscount = (v: DiscountValues, { bills, count: n, sum }: AffectedBills): number => {
  const d = parseDiscount(v)
  if (!d) return 0
  if (!bills.length)
    return d.kind === 'rate'
      ? Math.round(sum('receivable') * Number(d.off))
      : Math.min(d.off * n, sum('receivable'))
  return bills.reduce((all, b) => {
    const result = applyDiscount(toBill(b), d)
    return typeof result === 'string' ? all : all + Math.abs(defined(result.discount) - b.discountAmount)
  }, 0)
}

/** What the discount will make of the bills. */
export function DiscountPreview({ v, t }: { readonly v: DiscountValues; readonly t: AffectedBills }) {
  const d = parseDiscount(v)
  const { bills } = t
  if (!d) return <Note>填写减免总额，将覆盖原减免；填 0 取消减免</Note>
  if (!bills.length)
    return (
      <Note>
        {formatCount(t.count)} 条各减免
        {d.kind === 'rate' ? `原始金额的 ${v.percent}%` : ` ${displayYuan(d.off)}`}
        ，替换之前的减免；超出可减免金额的会跳过，原因列在结果中
      </Note>
    )
  const results = bills.map(b => applyDiscount(toBill(b), d))
  const valid = results.filter(s => typeof s !== 'string')
  const off = sumFen(valid.map(s => s.discount ?? 0))
  const before = sumFen(bills.map(b => b.discountAmount))
  return (
    <Note bad={valid.length < bills.length}>
      减免合计 {displayYuan(before)} → <b>{displayYuan(off)}</b>
      {valid.length < bills.length &&
        `；${formatCount(bills.length - valid.length)} 条超出可减免的金额，会跳过`}
    </Note>
  )
}

export function SplitPreview({
  v,
  b,
}: {
  readonly v: { on?: Day; amount?: Fen; secondDue?: Day }
  readonly b: Bill
}) {
  if (v.on === undefined && v.amount === undefined)
    return <Note>填拆分日期或第一张金额，二者选一；两张合计不变</Note>
  const halves =
    v.on !== undefined
      ? splitByDate(toBill(b), v.on, v.secondDue)
      : splitByAmount(toBill(b), defined(v.amount), v.secondDue)
  if (typeof halves === 'string') return <Note bad>{halves}</Note>
  return (
    <Note>
      第一张 {halves[0].begin} 至 {halves[0].end}{' '}
      <b>{displayYuan(subtractFen(halves[0].amount, halves[0].discount))}</b>
      ；第二张 {halves[1].begin} 至 {halves[1].end}{' '}
      <b>{displayYuan(subtractFen(halves[1].amount, halves[1].discount))}</b>，应缴 {halves[1].dueDate}
    </Note>
  )
}
