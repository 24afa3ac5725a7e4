import { defined } from '#kit/domain/defined.ts'
import { createHmac } from 'node:crypto'

export type SmsProvider = 'aliyun' | 'tencent'

/** How a gateway is reached and who we are to it. */
export interface SmsGateway {
  readonly endpoint: string
  readonly keyId: string
  readonly keySecret: string
  readonly signName: string
  readonly templates: Readonly<Record<string, string>>
  /** Of Tencent Cloud: the application, and where it is. */
  readonly appId?: string
  readonly region?: string
}

/** RFC 3986, as the gateway's signature wants it: `*` is escaped, `~` is not. */
export const percentEncode = (s: string): string =>
  encodeURIComponent(s).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The signature of a request to the Alibaba Cloud SMS gateway (RPC style, HMAC-SHA1, signature version 1.0).
 */
export function signSmsRequest(
  method: 'POST' | 'GET',
  params: Readonly<Record<string, string>>,
  secret: string,
): string {
  const response = Object.keys(params)
    .filter(k => k !== 'Signature')
    .toSorted()
    .map(k => `${percentEncode(k)}=${percentEncode(defined(params[k]))}`)
    .join('&')
  return createHmac('sha1', `${secret}&`)
    .update(`${method}&${percentEncode('/')}&${percentEncode(response)}`)
    .digest('base64')
}
