import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * What is signed: our request (`ask`), the platform's answer to it, a callback (`notice`). A text signed as
 * one is never accepted as another.
 */
export type MessageRole = 'ask' | 'answer' | 'notice'

const signedText = (
  role: MessageRole,
  path: string,
  time: string,
  nonce: string,
  body: string | Uint8Array,
): string => [role, path, time, nonce, createHash('sha256').update(body).digest('hex')].join('\n')

const computeMac = (text: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(text).digest()
export const createNonce = (): string => randomBytes(16).toString('hex')
export type MessageHeaders = Readonly<Record<string, string | undefined>>

/** The four headers of a signed message; an answer bears the nonce of its question. `seconds` since 1970. */
export const signMessage = (
  role: MessageRole,
  account: { readonly appKey: string; readonly secret: string },
  path: string,
  body: string | Uint8Array,
  seconds: number,
  nonce = createNonce(),
): Readonly<Record<string, string>> => ({
  'x-fp-app': account.appKey,
  'x-fp-time': String(seconds),
  'x-fp-nonce': nonce,
  'x-fp-sign': computeMac(signedText(role, path, String(seconds), nonce, body), account.secret).toString(
    'base64url',
  ),
})

/** Why a message is not authentic; undefined when it is. Five minutes old at most. */
export function findSignatureFault(
  role: MessageRole,
  account: { readonly appKey: string; readonly secret: string },
  path: string,
  body: string | Uint8Array,
  headers: MessageHeaders,
  seconds: number,
): string | undefined {
  const time = headers['x-fp-time'] ?? ''
  const nonce = headers['x-fp-nonce'] ?? ''
  const received = Buffer.from(headers['x-fp-sign'] ?? '', 'base64url')
  if (headers['x-fp-app'] !== account.appKey) return '应用号不符'
  if (!/^\d{1,12}$/.test(time) || Math.abs(Number(time) - seconds) > 300) return '时间戳超出五分钟'
  if (!/^[0-9a-f]{32}$/.test(nonce)) return '随机串不符'
  const expected = computeMac(signedText(role, path, time, nonce, body), account.secret)
  return received.length === expected.length && timingSafeEqual(received, expected) ? undefined : '签名不符'
}
