import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { InvoiceRecord } from '../../contract/record.ts'

/**
 * The platform's answer for a serial number. `doing`: it is at work; `absent`: it does not know the number.
 */
export type PlatformResult =
  | {
      readonly state: 'issued'
      readonly invoiceNo: string
      readonly invoiceCode?: string | undefined
      readonly issueTime: Moment
      readonly total: Fen
    }
  | { readonly state: 'doing' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly reason: string }

/**
 * What the platform is sent; `red` names the blue invoice's number, whether the whole of it is taken back,
 * and for each line the number of the blue line.
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

/** A callback that is not from the platform, or not for us. */
export class ForgedMessageError extends Error {}

/** A company's connection to an invoice platform: throws where the answer is missing or not authentic. */
export interface TaxPlatform {
  /** Idempotent by the serial number. */
  issue(request: IssueRequest): Promise<PlatformResult>
  query(serialNo: string): Promise<PlatformResult>
  /** The invoice's PDF; undefined while there is none. */
  file(serialNo: string): Promise<Uint8Array | undefined>
  /** Reads a callback; throws `ForgedMessageError`. */
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
