import { fromInstant } from '#kit/domain/moment.ts'
import { extractAlipaySignedPart, signAlipayParams } from './alipay-signature.ts'
import type { ChannelAccount } from './channel-client.ts'
import { parseJsonMessage } from './json-message.ts'
import { verify } from './wechat-signature.ts'

export interface AlipayResponse {
  code?: string
  sub_code?: string
  sub_msg?: string
  msg?: string
  trade_no?: string
  trade_status?: string
  total_amount?: string
  send_pay_date?: string
  gmt_payment?: string
  qr_code?: string
  refund_status?: string
  refund_amount?: string
  fund_change?: string
  bill_download_url?: string
}

type Params = Readonly<Record<string, string>>

/** A company's line to Alipay's open gateway, RSA2. */
export interface AlipayGateway {
  readonly account: ChannelAccount
  /** A request as the address of a page, which the phone itself opens. */
  pageUrl(method: string, content: object, extraParams?: Params): string
  /** Throws where the response is not signed by Alipay. */
  call(method: string, content: object, extraParams?: Params): Promise<AlipayResponse>
}

export function createAlipayGateway(account: ChannelAccount): AlipayGateway {
  const signedQuery = (method: string, content: object, extraParams: Params = {}): string =>
    new URLSearchParams(
      signAlipayParams(
        {
          app_id: account.appId,
          method,
          format: 'JSON',
          charset: 'utf-8',
          sign_type: 'RSA2',
          timestamp: fromInstant(account.clock()),
          version: '1.0',
          biz_content: JSON.stringify(content),
          ...extraParams,
        },
        account.privateKey,
      ),
    ).toString()
  return {
    account,
    pageUrl: (method, content, extraParams) => `${account.base}?${signedQuery(method, content, extraParams)}`,
    call: async (method, content, extraParams) => {
      const response = await fetch(account.base, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
        body: signedQuery(method, content, extraParams),
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      const signedPart = extractAlipaySignedPart(text, `${method.replaceAll('.', '_')}_response`)
      const signature = /"sign":"([^"]+)"/.exec(text)?.[1] ?? ''
      if (!response.ok || !signedPart || !verify(signedPart, signature, account.platformKey))
        throw new Error(`Alipay: ${response.status} no trustworthy response to ${method}`)
      return parseJsonMessage<AlipayResponse>(signedPart)
    },
  }
}

export const failureReason = (response: AlipayResponse): string =>
  response.sub_msg || response.msg || response.sub_code || '支付宝未说明原因'

export const unexpectedResponse = (response: AlipayResponse): Error =>
  new Error(`Alipay: ${response.code} ${response.sub_code} ${failureReason(response)}`)
