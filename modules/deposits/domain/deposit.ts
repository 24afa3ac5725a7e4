import type { ChoiceOf } from '#kit/contract/field.ts'
import { addFen, asFen, displayYuan, type Fen, subtractFen } from '#kit/domain/money.ts'
import type { depositEntryType, depositKind, depositState } from '../contract/choices.ts'

export type DepositState = ChoiceOf<typeof depositState>
export type DepositEntryType = ChoiceOf<typeof depositEntryType>

export interface DepositBalance {
  readonly state: DepositState
  readonly balance: Fen
  readonly deducted: Fen
  readonly refunded: Fen
  readonly converted: Fen
  /** Of `converted` what became income; the rest went to prestore. */
  readonly income: Fen
}

const activeStates: ReadonlySet<DepositState> = new Set(['received', 'partRefunded'])

/** Why money may not leave a deposit: none there, or less than asked (C6.3). */
export const withdrawalRefusal = (
  depositBalance: Pick<DepositBalance, 'state' | 'balance'> & { readonly refunding?: Fen },
  amount: Fen = asFen(1),
): string | undefined => {
  const { balance, refunding = 0 } = depositBalance
  const available = subtractFen(balance, refunding)
  if (depositBalance.state === 'waiting') return '押金尚未收取'
  if (!activeStates.has(depositBalance.state)) return '押金已结清，没有结余'
  if (amount > available && refunding > 0)
    return `另有 ${displayYuan(refunding)} 元正在退款审批，最多 ${displayYuan(available)} 元`
  if (amount > available) return `不能超过押金结余 ${displayYuan(balance)} 元`
  return undefined
}

/** How a deposit with nothing left has ended, by what became of its parts (C27-12). */
const endState = (d: Omit<DepositBalance, 'state' | 'balance'>): DepositState => {
  if (d.deducted + d.income > 0) return 'toIncome'
  return d.converted > 0 ? 'toPrestore' : 'refunded'
}

/** What a deposit is after so much left it one way: ended, or partly refunded once some was. */
export function applyWithdrawal(
  depositBalance: DepositBalance,
  entryType: Exclude<DepositEntryType, 'receive'>,
  amount: Fen,
): DepositBalance {
  const next = {
    balance: subtractFen(depositBalance.balance, amount),
    deducted: addFen(depositBalance.deducted, entryType === 'deduct' ? amount : 0),
    refunded: addFen(depositBalance.refunded, entryType === 'refund' ? amount : 0),
    converted: addFen(
      depositBalance.converted,
      entryType === 'income' || entryType === 'prestore' ? amount : 0,
    ),
    income: addFen(depositBalance.income, entryType === 'income' ? amount : 0),
  }
  const heldState: DepositState = next.refunded > 0 ? 'partRefunded' : 'received'
  return { ...next, state: next.balance > 0 ? heldState : endState(next) }
}

/** What kind of deposit a deposit item charges, by its name. */
export const depositKindOf = (itemName: string): ChoiceOf<typeof depositKind> => {
  if (itemName.includes('装修')) return 'fitting'
  if (itemName.includes('租')) return 'lease'
  return /卡|门禁/.test(itemName) ? 'card' : 'other'
}
