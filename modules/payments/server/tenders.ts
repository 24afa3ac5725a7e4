import { defineEvent } from '#kit/server/event.ts'
import type { Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { payMethod, recordType } from '../contract/choices.ts'
import type { Payer } from '../domain/payer.ts'

export type PayMethod = ChoiceOf<typeof payMethod>

/** Who pays for what, as a tender provider must know it; fen. */
export interface PaymentContext {
  readonly recordId: Id
  /** When the money moves; absent: the time of the record. */
  readonly at?: Moment | undefined
  readonly projectCode: string
  readonly sources: readonly { readonly sourceType: string; readonly sourceCode: string }[]
  readonly shares: readonly { readonly billId: Id; readonly itemId: Id; readonly amount: Fen }[]
  readonly payer: Payer
}

/**
 * A pay method whose money is already held: prestore. The module that keeps the accounts registers how an
 * amount is debited and credited; each call refuses where the accounts do not hold enough (ACC-9). Amounts
 * are positive fen.
 */
export interface TenderProvider {
  /** What these objects and their payer have, by fee item; item 0 pays any fee. */
  balances(
    db: Db,
    scope: Scope,
    context: Pick<PaymentContext, 'projectCode' | 'sources' | 'payer'>,
  ): Promise<readonly { readonly itemId: Id; readonly name: string; readonly amount: Fen }[]>
  /** A payment uses the money. */
  debit(tx: Tx, scope: Scope, amount: Fen, context: PaymentContext): Promise<void>
  /** A payment or a part of it is undone: what it debited goes back. */
  reverseDebit(tx: Tx, scope: Scope, amount: Fen, context: PaymentContext): Promise<void>
  /** Money is kept for the payer: what was paid beyond the bills, or a refund (PAY-13, REF-2). */
  credit(
    tx: Tx,
    scope: Scope,
    amount: Fen,
    context: PaymentContext,
    reason: 'change' | 'refund',
  ): Promise<void>
  /** What kept the money is undone: it leaves the account again. */
  reverseCredit(tx: Tx, scope: Scope, amount: Fen, context: PaymentContext): Promise<void>
}

const tenderProviders = new Map<PayMethod, TenderProvider>()

export const registerTenderProvider = (method: PayMethod, provider: TenderProvider): void => {
  tenderProviders.set(method, provider)
}

export const tenderProviderOf = (method: PayMethod): TenderProvider | undefined => tenderProviders.get(method)

export const requirePrestoreProvider = (refusal = '未启用预存账户'): TenderProvider =>
  tenderProviders.get('prestore') ?? refuse(refusal)

export interface PaidEvent {
  readonly recordId: Id
  readonly projectCode: string
  /** Days on which the takings have changed. */
  readonly days: readonly Day[]
  readonly billIds: readonly Id[]
  readonly kind: 'paid' | 'undone' | 'refunded'
  /** For a refund of bills that was just completed. */
  readonly refundId?: Id
  /** For a payment that was just settled. */
  readonly recordType?: ChoiceOf<typeof recordType>
  /** What all of the bills were made for (`refType`), where they were read; absent: unknown. */
  readonly refTypes?: ReadonlySet<string | undefined>
}

/**
 * In the transaction of a payment or of its undoing, with the bills it touched: month cards, leases and work
 * orders follow (PAY-4).
 */
export const [onPaid, publishPaid] = defineEvent<[tx: Tx, scope: Scope, event: PaidEvent]>()

/** A refund of bills that was asked for and will not be made. */
export interface RefundDeclinedEvent {
  readonly refundId: Id
  readonly refundNo: string
  readonly billIds: readonly Id[]
  readonly isRejected: boolean
  readonly reason: string
}

/** In the transaction that rejects or cancels a refund, with the bills that stay paid. */
export const [onRefundDeclined, publishRefundDeclined] =
  defineEvent<[tx: Tx, scope: Scope, event: RefundDeclinedEvent]>()

export interface DayClosingEvent {
  readonly projectCode: string
  readonly day: Day
}

/** In the transaction that closes a day, before it is closed: what must be recorded of it. */
export const [onDayClosing, publishDayClosing] = defineEvent<[tx: Tx, scope: Scope, event: DayClosingEvent]>()
