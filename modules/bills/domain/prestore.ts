import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { addFen, minFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { allocate, comparePayOrder, type AllocOrder, type OwedBill } from './allocation.ts'

/** A prestore account of an object (ACC-1). `itemId` 0: for any fee. */
export interface PrestoreAccount {
  readonly id: Id
  readonly itemId: Id
  readonly balance: Fen
  readonly gift: Fen
}

export interface DeductRules {
  readonly order: AllocOrder
  /** ACC-3: gift money before one's own. */
  readonly giftFirst: boolean
  /** ACC-5 */
  readonly deductLate: boolean
  readonly wholeBillOnly: boolean
  /** Only bills that are due or have begun by this day. */
  readonly onlyDueBy?: Day | undefined
  /** Absent: every item. */
  readonly items?: ReadonlySet<Id> | undefined
}

export interface DeductibleBill extends OwedBill {
  readonly itemId: Id
}

/** One entry of kind 冲抵: what one account gives one bill. */
export interface DeductionEntry {
  readonly accountId: Id
  readonly billId: Id
  readonly cash: Fen
  readonly gift: Fen
}

export interface Deduction {
  readonly entries: readonly DeductionEntry[]
  readonly paid: readonly { readonly billId: Id; readonly principal: Fen; readonly late: Fen }[]
  readonly accounts: readonly PrestoreAccount[]
}

/**
 * Deducts bills from prestore in order (ACC-4): each from the account of its item first, then from the
 * general one; paid-in money before gifts unless told otherwise. Balances are compared with what is
 * deducted, never with a price (ACC-9); no balance falls below zero. T-ACC-01.
 */
export function deduct(
  accounts: readonly PrestoreAccount[],
  bills: readonly DeductibleBill[],
  rules: DeductRules,
): Deduction {
  const balances = accounts.map(a => ({ ...a }))
  const entries: DeductionEntry[] = []
  const paid: { billId: Id; principal: Fen; late: Fen }[] = []
  const deductible = bills.filter(
    b =>
      (!rules.items || rules.items.has(b.itemId)) &&
      (rules.onlyDueBy === undefined || b.dueDate <= rules.onlyDueBy || b.begin <= rules.onlyDueBy),
  )
  for (const bill of deductible.toSorted(comparePayOrder)) {
    const owed: OwedBill = rules.deductLate ? bill : { ...bill, late: 0 }
    const due = addFen(owed.principal, owed.late)
    const usable = [
      ...balances.filter(a => a.itemId === bill.itemId),
      ...balances.filter(a => a.itemId === 0 && bill.itemId !== 0),
    ]
    const available = sumFen(usable.flatMap(a => [a.balance, a.gift]))
    if (due <= 0 || available <= 0 || (rules.wholeBillOnly && available < due)) continue
    let remaining = minFen(due, available)
    const [share] = allocate([owed], remaining, rules.order).shares
    paid.push({ billId: bill.id, principal: defined(share).principal, late: defined(share).late })
    for (const a of usable) {
      const takes: { balance: Fen; gift: Fen } = { balance: 0, gift: 0 }
      for (const pocket of rules.giftFirst
        ? (['gift', 'balance'] as const)
        : (['balance', 'gift'] as const)) {
        const x = minFen(remaining, a[pocket])
        takes[pocket] = x
        a[pocket] = subtractFen(a[pocket], x)
        remaining = subtractFen(remaining, x)
      }
      if (takes.balance || takes.gift) {
        entries.push({
          accountId: a.id,
          billId: bill.id,
          cash: takes.balance,
          gift: takes.gift,
        })
      }
    }
  }
  return { entries, paid, accounts: balances }
}
