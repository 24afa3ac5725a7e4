import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { payMethod } from '../contract/choices.ts'

export type PayMethod = ChoiceOf<typeof payMethod>

/** Who pays for what, as a way of paying must know it. */
export interface Paying {
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
export interface Purse {
  /** What lies there for some objects and their payer, by item; 0 is for any fee. */
  lies(
    db: Db,
    scope: Scope,
    p: Pick<Paying, 'projectCode' | 'sources' | 'payer'>,
  ): Promise<readonly { readonly itemId: number; readonly name: string; readonly amount: Fen }[]>
  take(tx: Tx, scope: Scope, amount: Fen, p: Paying): Promise<void>
  giveBack(tx: Tx, scope: Scope, amount: Fen, p: Paying): Promise<void>
  keep(tx: Tx, scope: Scope, amount: Fen, p: Paying, why: 'change' | 'refund'): Promise<void>
  /** A payment that kept money is undone: the kept part leaves again. */
  unkeep(tx: Tx, scope: Scope, amount: Fen, p: Paying): Promise<void>
}

const purses = new Map<PayMethod, Purse>()

export const declarePurse = (method: PayMethod, p: Purse): void => {
  purses.set(method, p)
}

export const purseOf = (method: PayMethod): Purse | undefined => purses.get(method)

/**
 * Told inside the transaction of a payment or of its undoing, with the bills it touched: month cards, leases,
 * work orders follow (PAY-4).
 */
export interface Paid {
  readonly recordId: number
  readonly projectCode: string
  /** Days of the tills whose sums have changed. */ readonly days: readonly Day[]
  readonly billIds: readonly number[]
  readonly what: 'paid' | 'undone' | 'refunded'
}

type Ear = (tx: Tx, scope: Scope, p: Paid) => Promise<void> | void
const ears: Ear[] = []

export const whenPaid = (ear: Ear): void => {
  ears.push(ear)
}

export const tellPaid = async (tx: Tx, scope: Scope, p: Paid): Promise<void> => {
  for (const ear of ears) {
    await ear(tx, scope, p)
  }
}

/**
 * Told inside the transaction that closes a day of a project, before it is closed: what must be written down
 * of it.
 */
export interface Closing {
  readonly projectCode: string
  readonly day: string
}

type Closer = (tx: Tx, scope: Scope, d: Closing) => Promise<void>
const closers: Closer[] = []

export const whenDayCloses = (ear: Closer): void => {
  closers.push(ear)
}

export const tellClosing = async (tx: Tx, scope: Scope, d: Closing): Promise<void> => {
  for (const ear of closers) {
    await ear(tx, scope, d)
  }
}
