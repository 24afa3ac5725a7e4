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
export const sumDiscount = (values: DiscountValues, { bills, count: index, sum }: AffectedBills): number => {
  const discount = parseDiscount(values)
  if (!discount) return 0
  if (!bills.length)
    return discount.kind === 'rate'
      ? Math.round(sum('receivable') * Number(discount.off))
      : Math.min(discount.off * index, sum('receivable'))
  return bills.reduce((all, b) => {
    const result = applyDiscount(toBill(b), discount)
    return typeof result === 'string' ? all : all + Math.abs(defined(result.discount) - b.discountAmount)
  }, 0)
}

/** What the discount will make of the bills. */
export function DiscountPreview({
  v: values,
  t: affected,
}: {
  readonly v: DiscountValues
  readonly t: AffectedBills
}) {
  const discount = parseDiscount(values)
  const { bills } = affected
  if (!discount) return <Note>填写减免总额，将覆盖原减免；填 0 取消减免</Note>
  if (!bills.length)
    return (
      <Note>
        {formatCount(affected.count)} 条各减免
        {discount.kind === 'rate' ? `原始金额的 ${values.percent}%` : ` ${displayYuan(discount.off)}`}
        ，替换之前的减免；超出可减免金额的会跳过，原因列在结果中
      </Note>
    )
  const results = bills.map(b => applyDiscount(toBill(b), discount))
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
  v: values,
  b: bill,
}: {
  readonly v: { on?: Day; amount?: Fen; secondDue?: Day }
  readonly b: Bill
}) {
  if (values.on === undefined && values.amount === undefined)
    return <Note>填拆分日期或第一张金额，二者选一；两张合计不变</Note>
  const halves =
    values.on !== undefined
      ? splitByDate(toBill(bill), values.on, values.secondDue)
      : splitByAmount(toBill(bill), defined(values.amount), values.secondDue)
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
