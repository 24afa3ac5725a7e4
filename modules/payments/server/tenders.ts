import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { payMethod } from '../contract/choices.ts'

export type PayMethod = ChoiceOf<typeof payMethod>

/** Who pays for what, as a way of paying must know it. */
export interface PaymentContext {
  readonly recordId: number
  /** When it moves; the record's own moment unless said. */ readonly at?: Moment | undefined
  readonly projectCode: string
  readonly sources: readonly { readonly sourceType: string; readonly sourceCode: string }[]
  readonly shares: readonly { readonly billId: number; readonly itemId: number; readonly amount: Fen }[]
  readonly payer: {
    readonly kind?: 'resident' | 'company' | undefined
    readonly id?: number | undefined
    readonly name?: string | undefined
  }
}

/**
 * Money that lies with us: prestore. A module that keeps such accounts says here how an amount is taken from
 * them, put back, and how what is paid too much is kept; it refuses in words where there is not enough
 * (ACC-9).
 */
export interface TenderProvider {
  /** What lies there for some objects and their payer, by item; 0 is for any fee. */
  balances(
    db: Db,
    scope: Scope,
    p: Pick<PaymentContext, 'projectCode' | 'sources' | 'payer'>,
  ): Promise<readonly { readonly itemId: number; readonly name: string; readonly amount: Fen }[]>
  debit(tx: Tx, scope: Scope, amount: Fen, p: PaymentContext): Promise<void>
  reverseDebit(tx: Tx, scope: Scope, amount: Fen, p: PaymentContext): Promise<void>
  credit(tx: Tx, scope: Scope, amount: Fen, p: PaymentContext, why: 'change' | 'refund'): Promise<void>
  /** A payment that kept money is undone: the kept part leaves again. */
  reverseCredit(tx: Tx, scope: Scope, amount: Fen, p: PaymentContext): Promise<void>
}

const tenderProviders = new Map<PayMethod, TenderProvider>()

export const registerTenderProvider = (method: PayMethod, p: TenderProvider): void => {
  tenderProviders.set(method, p)
}

export const tenderProviderOf = (method: PayMethod): TenderProvider | undefined => tenderProviders.get(method)

/**
 * Told inside the transaction of a payment or of its undoing, with the bills it touched: month cards, leases,
 * work orders follow (PAY-4).
 */
export interface PaidEvent {
  readonly recordId: number
  readonly projectCode: string
  /** Days of the tills whose sums have changed. */ readonly days: readonly Day[]
  readonly billIds: readonly number[]
  readonly kind: 'paid' | 'undone' | 'refunded'
}

type PaidListener = (tx: Tx, scope: Scope, p: PaidEvent) => Promise<void> | void
const paidListeners: PaidListener[] = []

export const onPaid = (ear: PaidListener): void => {
  paidListeners.push(ear)
}

export const publishPaid = async (tx: Tx, scope: Scope, p: PaidEvent): Promise<void> => {
  for (const ear of paidListeners) {
    await ear(tx, scope, p)
  }
}

/**
 * Told inside the transaction that closes a day of a project, before it is closed: what must be written down
 * of it.
 */
export interface DayClosingEvent {
  readonly projectCode: string
  readonly day: string
}

type DayClosingListener = (tx: Tx, scope: Scope, d: DayClosingEvent) => Promise<void>
const dayClosingListeners: DayClosingListener[] = []

export const onDayClosing = (ear: DayClosingListener): void => {
  dayClosingListeners.push(ear)
}

export const publishDayClosing = async (tx: Tx, scope: Scope, d: DayClosingEvent): Promise<void> => {
  for (const ear of dayClosingListeners) {
    await ear(tx, scope, d)
  }
}
