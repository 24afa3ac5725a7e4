import { money, type Fen, type Field } from '#kit/contract/field.ts'

/**
 * The terms for money, each with the one thing it means on every screen, sheet and report (C27-13). The help
 * is under the heading of a column; `docs/glossary.md` says the same.
 */
export const moneyTerms = {
  receivable: ['应收', '原始金额 − 减免；作废、已拆分的账单不算'],
  paidPrincipal: ['已收本金', '账单已收的本金，减去退回的；含预存与券抵扣'],
  lateFee: ['违约金', '已收的违约金，减去退回的'],
  discount: ['减免', '原始金额中减免的部分，含抹零'],
  received: ['实收', '实际到账：收到 − 找零；不含预存与券抵扣，不含已作废'],
  refunded: ['退款', '实际退款金额，计入退款当日；转预存和已撤销的不计'],
  net: ['净收', '实收 − 退款'],
  prestore: ['预存', '缴费人预存的款项，抵扣前不计收入'],
  deposit: ['押金', '归缴纳人所有，不计入收入'],
  unpaid: ['未收', '应收 − 已收本金'],
} as const satisfies Readonly<Record<string, readonly [label: string, help: string]>>

export type MoneyTerm = keyof typeof moneyTerms

/** A figure of that term. */
export const moneyTerm = (term: MoneyTerm): Field<Fen, true, 'money'> => {
  const [label, help] = moneyTerms[term]
  return money(label, { required: true, help })
}
