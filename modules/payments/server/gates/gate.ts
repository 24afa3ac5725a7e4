import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { channel } from '../../contract/choices.ts'
import type { BillLine } from './bill.ts'

export type Channel = ChoiceOf<typeof channel>

/**
 * What a channel says of an order. `unknown`: it gave no answer that could be believed; nothing may be
 * concluded.
 */
export type Said =
  | {
      readonly state: 'paid'
      readonly transactionId: string
      readonly amount: Fen
      readonly at?: Moment | undefined
      /** What a terminal read. */ readonly card?: 'debit' | 'credit' | undefined
    }
  | { readonly state: 'waiting' | 'paying' | 'closed' | 'absent' }
  | { readonly state: 'failed'; readonly why: string }

export interface Asking {
  readonly orderNo: string
  readonly amount: Fen
  readonly title: string
  readonly expires: Moment
}

export type RefundSaid =
  | { readonly state: 'done'; readonly channelNo?: string | undefined }
  | { readonly state: 'doing' | 'absent' }
  | { readonly state: 'failed'; readonly why: string }

export interface Refunding {
  readonly orderNo: string
  readonly refundNo: string
  readonly amount: Fen
  readonly total: Fen
  readonly reason: string
}

export interface Notified {
  readonly orderNo: string
  readonly nonce: string
  readonly said: Said
}

/** A callback that is not the channel's, or not for us, or an old one again. */
export class Forged extends Error {}

/** A company's account at a channel: throws where the channel gave no believable answer. */
export interface Gate {
  /** An address for a phone's browser, where its owner pays. */
  h5(o: Asking, back: string, ip: string): Promise<string>
  /** What to draw as a picture for the channel's own scanner. */
  code(o: Asking): Promise<string>
  /** By the code on the payer's phone. */
  byCode(o: Asking, authCode: string): Promise<Said>
  query(orderNo: string): Promise<Said>
  /**
   * After it nothing can be paid any more. `took`: begun by the payer's code, which may have to be taken
   * back.
   */
  close(orderNo: string, took: boolean): Promise<void>
  refund(r: Refunding): Promise<RefundSaid>
  refundQuery(r: Refunding): Promise<RefundSaid>
  /** Reads a callback; throws `Forged`. */
  notified(headers: Readonly<Record<string, string | undefined>>, body: string): Notified
  /**
   * What the channel says it did on a day (CLO-5), its file checked; empty where nothing was traded. Throws
   * `NotYet` before the bill is made.
   */
  bill(day: Day): Promise<readonly BillLine[]>
  /** The channel sends one and the same callback again until it is thanked: the second is no replay. */
  readonly repeats?: boolean
  /** What a callback is answered with when it was taken, and when not. */
  readonly thanks: { readonly type: string; readonly yes: string; readonly no: string }
}

export interface Account {
  readonly appId: string
  readonly mchId: string
  readonly serialNo: string
  readonly apiKey: string
  readonly privateKey: string
  readonly platformSerial: string
  readonly platformKey: string
  readonly base: string
  readonly notifyUrl: string
  readonly clock: () => number
}
