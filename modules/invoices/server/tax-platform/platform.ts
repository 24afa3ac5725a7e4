import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { InvoiceRecord } from '../../contract/record.ts'

/**
 * What the platform says of a number. `doing`: it knows it and is at work; `absent`: it has never heard of
 * it.
 */
export type PlatformResult =
  | {
      readonly state: 'issued'
      readonly invoiceNo: string
      readonly invoiceCode?: string | undefined
      readonly at: Moment
      readonly total: Fen
    }
  | { readonly state: 'doing' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly why: string }

/**
 * An invoice as it is asked for; a red one names the blue one's number, whether it takes back the whole of
 * it, and for each of its lines the number of the blue line.
 */
export type IssueRequest = Pick<
  InvoiceRecord,
  | 'serialNo'
  | 'invoiceType'
  | 'title'
  | 'seller'
  | 'lines'
  | 'totalAmount'
  | 'netAmount'
  | 'taxAmount'
  | 'remark'
> & {
  readonly red?:
    | {
        readonly invoiceNo: string
        readonly reason: string
        readonly whole: boolean
        readonly lines: readonly number[]
      }
    | undefined
}

export interface PlatformNotification {
  readonly serialNo: string
  readonly nonce: string
  readonly result: PlatformResult
}

/** A callback that is not the platform's, or not for us. */
export class ForgedMessageError extends Error {}

/** A company's account at an invoice platform: throws where the platform gave no believable answer. */
export interface TaxPlatform {
  /** The same number again is the same invoice, however often asked. */
  issue(o: IssueRequest): Promise<PlatformResult>
  query(serialNo: string): Promise<PlatformResult>
  /** The invoice's own file; nothing while there is none. */
  file(serialNo: string): Promise<Uint8Array | undefined>
  /** Reads a callback; throws `Forged`. */
  parseNotification(
    headers: Readonly<Record<string, string | undefined>>,
    path: string,
    body: string,
  ): PlatformNotification
}

export interface PlatformAccount {
  readonly appKey: string
  readonly secret: string
  readonly base: string
  readonly notifyUrl: string
  readonly clock: () => number
}
