import type { Fields, ValueOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan, minFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Bill } from '../contract/bill.ts'
import { applyDiscount } from '../domain/adjustment.ts'
import { unpaid } from '../domain/bill.ts'
import { parseDiscount, type DiscountInput } from './adjustment.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'
import { toBill } from './stored-bill.ts'

export const principalOf = (rows: readonly Bill[]): Fen => sumFen(rows.map(row => row.unpaidPrincipal))

const shorten = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text

export interface LeftOut {
  readonly code?: string
  readonly reason: string
}

/** Bills that a request which came back does not name any more: who reads it sees which, and why. */
const describeLeftOut = (bills: readonly LeftOut[]): string | undefined =>
  bills.length
    ? shorten(bills.map(({ code = '', reason }) => `${code}${code && '：'}${reason}`).join('。'), 500)
    : undefined

/** What every request about bills says of them. */
const factsOf = (rows: readonly Bill[], reason: string, leftOut: readonly LeftOut[]) => ({
  billCount: rows.length,
  objects: shorten([...new Set(rows.map(row => row.sourceName))].join('、'), 200),
  billNos: shorten(rows.map(row => row.billNo).join('、'), 200),
  leftOut: describeLeftOut(leftOut),
  reason,
  unpaidPrincipal: principalOf(rows),
  ids: rows.map(row => String(row.id)),
})

export interface RequestTexts<F extends Fields> {
  readonly formOf: (rows: readonly Bill[]) => ValueOf<F>
  readonly titleOf: (count: number) => string
}

export const lockById = (c: Pick<WriteContext, 'tx' | 'scope'>, ids: readonly string[]): Promise<Bill[]> =>
  lockBills(c.tx, c.scope, selectionCondition(c.scope, { ids }))

export const writeOffTitle = ({ name }: Scope, count: number): string => `${name} 坏账核销 ${count} 张账单`
export const discountTitle = ({ name }: Scope, count: number): string => `${name} 减免 ${count} 张账单`

export const writeOffForm = (rows: readonly Bill[], reason: string, leftOut: readonly LeftOut[] = []) => ({
  ...factsOf(rows, reason, leftOut),
  amount: sumFen(rows.map(row => unpaid(toBill(row)))),
})

/** How much the discounts of bills become together; those that cannot have it count for nothing. */
function discountSum(rows: readonly Bill[], input: DiscountInput): Fen {
  const discount = parseDiscount(input)
  return sumFen(
    rows.map(row => {
      const changed = applyDiscount(toBill(row), discount)
      return typeof changed === 'string' ? 0 : defined(changed.discount)
    }),
  )
}

/** The most that each of the bills can be discounted by. */
export const mostOfEach = (rows: readonly Bill[]): Fen =>
  rows.map(row => subtractFen(row.amount, row.paidPrincipal)).reduce((least, each) => minFen(least, each))

export const discountForm = (
  rows: readonly Bill[],
  input: DiscountInput,
  leftOut: readonly LeftOut[] = [],
) => ({
  ...factsOf(rows, input.reason, leftOut),
  amount: discountSum(rows, input),
  kind: input.kind,
  each: input.kind === 'amount' ? input.amount : undefined,
  percent: input.kind === 'rate' ? input.percent : undefined,
  mostEach: rows.length ? `${displayYuan(mostOfEach(rows))} 元` : undefined,
})
