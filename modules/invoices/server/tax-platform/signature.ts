import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Who speaks: a request of ours, the platform's answer to it, a callback. A text signed as one is never taken
 * for another.
 */
export type MessageRole = 'ask' | 'answer' | 'notice'

const signedText = (
  role: MessageRole,
  path: string,
  time: string,
  nonce: string,
  body: string | Uint8Array,
): string => [role, path, time, nonce, createHash('sha256').update(body).digest('hex')].join('\n')

const computeMac = (t: string, secret: string): Buffer => createHmac('sha256', secret).update(t).digest()
export const createNonce = (): string => randomBytes(16).toString('hex')
export type MessageHeaders = Readonly<Record<string, string | undefined>>

/** The four headers of a signed message; an answer bears the nonce of its question. `seconds` since 1970. */
export const signMessage = (
  role: MessageRole,
  a: { readonly appKey: string; readonly secret: string },
  path: string,
  body: string | Uint8Array,
  seconds: number,
  nonce = createNonce(),
): Readonly<Record<string, string>> => ({
  'x-fp-app': a.appKey,
  'x-fp-time': String(seconds),
  'x-fp-nonce': nonce,
  'x-fp-sign': computeMac(signedText(role, path, String(seconds), nonce, body), a.secret).toString(
    'base64url',
  ),
})

/** Why a message is not to be believed; nothing when it is. Five minutes old at most. */
export function findSignatureFault(
  role: MessageRole,
  a: { readonly appKey: string; readonly secret: string },
  path: string,
  body: string | Uint8Array,
  h: MessageHeaders,
  seconds: number,
): string | undefined {
  const time = h['x-fp-time'] ?? ''
  const nonce = h['x-fp-nonce'] ?? ''
  const said = Buffer.from(h['x-fp-sign'] ?? '', 'base64url')
  if (h['x-fp-app'] !== a.appKey) return '应用号不符'
  if (!/^\d{1,12}$/.test(time) || Math.abs(Number(time) - seconds) > 300) return '时间戳超出五分钟'
  if (!/^[0-9a-f]{32}$/.test(nonce)) return '随机串不符'
  const is = computeMac(signedText(role, path, time, nonce, body), a.secret)
  return said.length === is.length && timingSafeEqual(said, is) ? undefined : '签名不符'
}
