import { findSignatureFault, buildAuthorization } from './wechat-signature.ts'
import type { ChannelAccount } from './channel-client.ts'
import { parseJsonMessage } from './json-message.ts'

export interface WechatResponse {
  trade_state?: string
  trade_state_desc?: string
  transaction_id?: string
  success_time?: string
  amount?: { total?: number }
  mchid?: string
  appid?: string
  out_trade_no?: string
  h5_url?: string
  code_url?: string
  status?: string
  refund_id?: string
  hash_type?: string
  hash_value?: string
  download_url?: string
}

/** The gateway refused: its own code and words. */
export class WechatApiError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof WechatApiError && codes.includes(error.code)

export const secondsNow = (account: ChannelAccount): number => Math.floor(account.clock() / 1000)

/** The refusal in a response; an empty one where its text is no JSON. */
function readRefusal(text: string): { code?: string; message?: string } {
  try {
    return parseJsonMessage(text)
  } catch {
    return {}
  }
}

/** Calls WeChat Pay; throws `WechatApiError` where it refuses under its own signature. */
export async function callWechat(
  account: ChannelAccount,
  method: 'GET' | 'POST',
  path: string,
  input?: object,
): Promise<WechatResponse> {
  const body = input ? JSON.stringify(input) : ''
  const response = await fetch(account.base + path, {
    method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'anju',
      authorization: buildAuthorization(account, method, path, body, secondsNow(account)),
    },
    ...(body ? { body } : {}),
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  const fault = findSignatureFault(
    Object.fromEntries(response.headers),
    text,
    account.platformKey,
    account.platformSerial,
    secondsNow(account),
  )
  if (response.ok) {
    if (fault) throw new Error(`WeChat Pay: ${fault}`)
    return text ? parseJsonMessage<WechatResponse>(text) : {}
  }
  // A refusal decides something too: it must be WeChat's own.
  if (fault) throw new Error(`WeChat Pay: ${response.status} ${fault}`)
  const refusal = readRefusal(text)
  throw new WechatApiError(refusal.code ?? String(response.status), refusal.message ?? '')
}
