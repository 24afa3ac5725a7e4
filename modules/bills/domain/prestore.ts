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
  /** ACC-3: gift money before paid-in money. */
  readonly giftFirst: boolean
  /** ACC-5 */
  readonly deductLate: boolean
  readonly wholeBillOnly: boolean
  /** Only bills that are due or have started by this day. */
  readonly onlyDueBy?: Day | undefined
  /** Absent: every item. */
  readonly items?: ReadonlySet<Id> | undefined
}

export interface DeductibleBill extends OwedBill {
  readonly itemId: Id
}

/** What one account gives of its own money or of its gifts, fen. */
export interface DrawnEntry {
  readonly accountId: Id
  readonly amount: Fen
  readonly gift: boolean
}

/** One entry of kind 冲抵: what one account gives one bill. */
export interface DeductionEntry extends DrawnEntry {
  readonly billId: Id
}

export interface Deduction {
  readonly entries: readonly DeductionEntry[]
  readonly paid: readonly { readonly billId: Id; readonly principal: Fen; readonly late: Fen }[]
  readonly accounts: readonly PrestoreAccount[]
}

/** ACC-4: the accounts that may pay for an item, its own before the general ones. */
const accountsFor = (accounts: readonly PrestoreAccount[], itemId: Id): PrestoreAccount[] => [
  ...accounts.filter(a => a.itemId === itemId),
  ...accounts.filter(a => a.itemId === 0 && itemId !== 0),
]

export interface DrawnMoney {
  readonly entries: readonly DrawnEntry[]
  readonly accounts: readonly PrestoreAccount[]
  /** What the accounts do not hold. */
  readonly missing: Fen
}

/**
 * ACC-3, ACC-4: `amount` fen for a fee item from its own account first, then from the general ones; of each,
 * paid-in money before gifts unless `giftFirst`. No balance falls below zero (ACC-9).
 */
export function drawFromAccounts(
  accounts: readonly PrestoreAccount[],
  itemId: Id,
  amount: Fen,
  giftFirst: boolean,
): DrawnMoney {
  const balances = new Map(accounts.map(account => [account.id, { ...account }]))
  const kinds = giftFirst ? (['gift', 'balance'] as const) : (['balance', 'gift'] as const)
  const entries: DrawnEntry[] = []
  let missing = amount
  for (const { id } of accountsFor(accounts, itemId)) {
    const account = defined(balances.get(id))
    for (const kind of kinds) {
      const drawn = minFen(missing, account[kind])
      if (drawn <= 0) continue
      account[kind] = subtractFen(account[kind], drawn)
      missing = subtractFen(missing, drawn)
      entries.push({ accountId: id, amount: drawn, gift: kind === 'gift' })
    }
  }
  return { entries, accounts: [...balances.values()], missing }
}

/**
 * Deducts bills from prestore in order (ACC-4): each from the account of its item first, then from the
 * general one; by default paid-in money before gifts. Balances are compared with what is deducted, never with
 * a price (ACC-9); no balance falls below zero. T-ACC-01.
 */
export function deduct(
  accounts: readonly PrestoreAccount[],
  bills: readonly DeductibleBill[],
  rules: DeductRules,
): Deduction {
  let balances = accounts
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
    const usable = accountsFor(balances, bill.itemId)
    const available = sumFen(usable.flatMap(a => [a.balance, a.gift]))
    if (due <= 0 || available <= 0 || (rules.wholeBillOnly && available < due)) continue
    const [share] = allocate([owed], minFen(due, available), rules.order).shares
    const { principal, late } = defined(share)
    paid.push({ billId: bill.id, principal, late })
    const drawn = drawFromAccounts(balances, bill.itemId, addFen(principal, late), rules.giftFirst)
    balances = drawn.accounts
    entries.push(...drawn.entries.map(entry => ({ ...entry, billId: bill.id })))
  }
  return { entries, paid, accounts: balances }
}
