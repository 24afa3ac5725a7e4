import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { payMethod } from '../contract/choices.ts'
import type { PayRecord } from '../contract/record.ts'
import { cashTendered, keptTenders } from '../domain/tender-sums.ts'

/** What each method brought, after the change was given back. */
export const formatMethods = (record: Pick<PayRecord, 'methods' | 'changeAmount'>): string =>
  keptTenders(record.methods, record.changeAmount)
    // Cash that was refunded whole brought nothing.
    .filter((m, _, all) => m.amount !== 0 || all.length === 1)
    .map(m => `${labelOf(payMethod, m.method)} ${displayYuan(m.amount)}`)
    .join('，')

export const isMixed = ({ methods }: Pick<PayRecord, 'methods'>): boolean => methods.length > 1

/** One method by its name, several as 组合. */
export const describeMethod = ({ methods }: Pick<PayRecord, 'methods'>): string =>
  isMixed({ methods }) ? '组合' : methods.map(m => labelOf(payMethod, m.method)).join('')

/** Cash laid on the counter, and what was given back of it: the same as on the receipt. */
export const cashFactsOf = (
  record: Pick<PayRecord, 'methods' | 'changeAmount'>,
): { readonly tendered?: string; readonly change?: string } => {
  const tendered = cashTendered(record.methods)
  return tendered > 0 ? { tendered: displayYuan(tendered), change: displayYuan(record.changeAmount) } : {}
}
