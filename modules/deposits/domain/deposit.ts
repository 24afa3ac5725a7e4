import type { ChoiceOf } from '#kit/contract/field.ts'
import { addFen, asFen, formatYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { depositEntryType, depositState } from '../contract/choices.ts'

export type DepositState = ChoiceOf<typeof depositState>
export type DepositEntryType = ChoiceOf<typeof depositEntryType>

export interface DepositBalance {
  readonly state: DepositState
  readonly balance: Fen
  readonly deducted: Fen
  readonly refunded: Fen
  readonly converted: Fen
}

const activeStates: ReadonlySet<DepositState> = new Set(['received', 'partRefunded'])

/** Why money may not leave a deposit: none there, or less than asked (C6.3). */
export const withdrawalRefusal = (
  d: Pick<DepositBalance, 'state' | 'balance'>,
  amount: Fen = asFen(1),
): string | undefined => {
  if (d.state === 'waiting') return '押金还没有收取'
  if (!activeStates.has(d.state)) return '押金已经办完，没有结余'
  if (amount > d.balance) return `押金结余 ${formatYuan(d.balance)} 元，不能超过它`
  return undefined
}

/**
 * What a deposit is after so much left it one way: done by the last way when nothing is left, else partly
 * given back once some was.
 */
export function applyWithdrawal(
  d: DepositBalance,
  way: Exclude<DepositEntryType, 'receive'>,
  amount: Fen,
): DepositBalance {
  const next = {
    balance: subtractFen(d.balance, amount),
    deducted: addFen(d.deducted, way === 'deduct' ? amount : 0),
    refunded: addFen(d.refunded, way === 'refund' ? amount : 0),
    converted: addFen(d.converted, way === 'income' || way === 'prestore' ? amount : 0),
  }
  const stateWithBalance: DepositState = next.refunded > 0 ? 'partRefunded' : 'received'
  const stateWithoutBalance: DepositState =
    way === 'prestore' ? 'toPrestore' : next.refunded > 0 ? 'refunded' : 'toIncome'
  const state = next.balance > 0 ? stateWithBalance : stateWithoutBalance
  return { ...next, state }
}
