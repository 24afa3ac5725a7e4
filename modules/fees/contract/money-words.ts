import { money, type Fen, type Field } from '#kit/contract/field.ts'

/**
 * The words for money, each with the one thing it means on every screen, sheet and report (C27-13). The help
 * stands under the heading of a column; `docs/glossary.md` says the same.
 */
export const moneyWords = {
  receivable: ['应收', '原始金额 − 减免；作废、已拆分的账单不算'],
  paidPrincipal: ['已收本金', '账单已收的本金，减去退回的；含预存与券抵扣'],
  lateFee: ['违约金', '已收的违约金，减去退回的'],
  discount: ['减免', '原始金额里不再收的，含抹零'],
  received: ['实收', '新到的钱：收到 − 找零；不含预存与券抵扣，作废的不算'],
  refunded: ['退款', '退出去的钱，记在退的那天；转回预存的、撤销的不算'],
  net: ['净收', '实收 − 退款'],
  prestore: ['预存', '缴费人先放在这里的钱，抵扣之前不是收入'],
  deposit: ['押金', '仍是缴纳人的钱，不是收入'],
  unpaid: ['未收', '应收 − 已收本金'],
} as const satisfies Readonly<Record<string, readonly [label: string, help: string]>>

export type MoneyWord = keyof typeof moneyWords

/** A figure of that word. */
export const moneyWord = (word: MoneyWord): Field<Fen, true, 'money'> => {
  const [label, help] = moneyWords[word]
  return money(label, { required: true, help })
}
