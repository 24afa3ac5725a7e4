import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { channel } from '../../contract/choices.ts'
import type { ChannelLine } from './channel-bill.ts'

export type Channel = ChoiceOf<typeof channel>

/**
 * What a channel says of an order. `unknown`: it gave no answer that could be believed; nothing may be
 * concluded.
 */
export type ChannelOrderResult =
  | {
      readonly state: 'paid'
      readonly transactionId: string
      readonly amount: Fen
      readonly at?: Moment | undefined
      /** What a terminal read. */
      readonly card?: 'debit' | 'credit' | undefined
    }
  | { readonly state: 'waiting' | 'paying' | 'closed' | 'absent' }
  | { readonly state: 'failed'; readonly why: string }

export interface ChannelOrderRequest {
  /** Here and below, the number by which the channel knows the order (`tradeNo`). */
  readonly orderNo: string
  readonly amount: Fen
  readonly title: string
  readonly expires: Moment
}

export type ChannelRefundResult =
  | { readonly state: 'done'; readonly channelNo?: string | undefined }
  | { readonly state: 'doing' | 'absent' }
  | { readonly state: 'failed'; readonly why: string }

export interface ChannelRefundRequest {
  readonly orderNo: string
  readonly refundNo: string
  readonly amount: Fen
  readonly total: Fen
  readonly reason: string
}

export interface ChannelNotification {
  readonly orderNo: string
  readonly nonce: string
  readonly result: ChannelOrderResult
}

/** A callback that is not the channel's, or not for us, or an old one again. */
export class ForgedMessageError extends Error {}

/** A company's account at a channel: throws where the channel gave no believable answer. */
export interface ChannelClient {
  /** An address for a phone's browser, where its owner pays. */
  createH5Url(o: ChannelOrderRequest, returnUrl: string, ip: string): Promise<string>
  /** What to draw as a picture for the channel's own scanner. */
  createQrCode(o: ChannelOrderRequest): Promise<string>
  /** By the code on the payer's phone. */
  payByAuthCode(o: ChannelOrderRequest, authCode: string): Promise<ChannelOrderResult>
  queryOrder(orderNo: string): Promise<ChannelOrderResult>
  /**
   * After it nothing can be paid any more. `byAuthCode`: started by the payer's code, which may have to be
   * taken back.
   */
  closeOrder(orderNo: string, byAuthCode: boolean): Promise<void>
  refund(r: ChannelRefundRequest): Promise<ChannelRefundResult>
  queryRefund(r: ChannelRefundRequest): Promise<ChannelRefundResult>
  /** Reads a callback; throws `ForgedMessageError`. */
  parseNotification(headers: Readonly<Record<string, string | undefined>>, body: string): ChannelNotification
  /**
   * What the channel says it did on a day (CLO-5), its file checked; empty where nothing was traded. Throws
   * `BillNotReadyError` before the bill is made.
   */
  fetchBill(day: Day): Promise<readonly ChannelLine[]>
  /** The channel sends one and the same callback again until it is thanked: the second is no replay. */
  readonly isNotificationRepeated?: boolean
  /** What a callback is answered with: its content type, and the body when it was taken and when not. */
  readonly acknowledgement: { readonly type: string; readonly accepted: string; readonly refused: string }
}

export interface ChannelAccount {
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
