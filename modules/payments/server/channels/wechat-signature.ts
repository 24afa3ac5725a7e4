import { defined } from '#kit/domain/defined.ts'
import { createCipheriv, createDecipheriv, createSign, createVerify, randomBytes } from 'node:crypto'

/** The signatures of WeChat Pay v3; our gateway simulator speaks them too, with its own keys. */
export const sign = (text: string, privateKey: string): string =>
  createSign('RSA-SHA256').update(text).sign(privateKey, 'base64')

export const verify = (text: string, signature: string, publicKey: string): boolean => {
  try {
    return createVerify('RSA-SHA256').update(text).verify(publicKey, signature, 'base64')
  } catch {
    return false
  }
}

const joinLines = (...parts: readonly string[]): string => `${parts.join('\n')}\n`
export const createNonce = (): string => randomBytes(16).toString('hex')

/** The authorization header of our own requests. */
export function buildAuthorization(
  account: { readonly mchId: string; readonly serialNo: string; readonly privateKey: string },
  method: string,
  path: string,
  body: string,
  seconds: number,
): string {
  const n = createNonce()
  const t = String(seconds)
  return `WECHATPAY2-SHA256-RSA2048 mchid="${account.mchId}",nonce_str="${n}",signature="${sign(joinLines(method, path, t, n, body), account.privateKey)}",timestamp="${t}",serial_no="${account.serialNo}"`
}

export const verifyAuthorization = (
  header: string,
  method: string,
  path: string,
  body: string,
  publicKey: string,
): Readonly<Record<string, string>> | undefined => {
  const fields = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(m => [defined(m[1]), defined(m[2])]),
  )
  return header.startsWith('WECHATPAY2-SHA256-RSA2048 ') &&
    verify(
      joinLines(method, path, fields.timestamp ?? '', fields.nonce_str ?? '', body),
      fields.signature ?? '',
      publicKey,
    )
    ? fields
    : undefined
}

/** For responses and callbacks of the channel. */
export const buildSignatureHeaders = (
  body: string,
  privateKey: string,
  serial: string,
  seconds: number,
): Readonly<Record<string, string>> => {
  const nonce = createNonce()
  const timestamp = String(seconds)
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': serial,
    'wechatpay-signature': sign(joinLines(timestamp, nonce, body), privateKey),
  }
}

/** Why a stamp is not to be believed; nothing when it is. Five minutes old at most. */
export function findSignatureFault(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  publicKey: string,
  serial: string,
  seconds: number,
): string | undefined {
  const timestamp = headers['wechatpay-timestamp'] ?? ''
  const nonce = headers['wechatpay-nonce'] ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - seconds) > 300) return '时间戳超出五分钟'
  if (headers['wechatpay-serial'] !== serial) return '平台公钥编号不符'
  return nonce && verify(joinLines(timestamp, nonce, body), headers['wechatpay-signature'] ?? '', publicKey)
    ? undefined
    : '签名不符'
}

export interface EncryptedResource {
  readonly algorithm: string
  readonly ciphertext: string
  readonly nonce: string
  readonly associated_data: string
}

export function encryptResource(text: string, key: string): EncryptedResource {
  const nonce = randomBytes(6).toString('hex')
  const c = createCipheriv('aes-256-gcm', key, nonce)
  c.setAAD(Buffer.from('transaction'))
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: Buffer.concat([c.update(text, 'utf8'), c.final(), c.getAuthTag()]).toString('base64'),
    nonce,
    associated_data: 'transaction',
  }
}

/** Throws where the text was tampered with or the key is another. */
export function decryptResource(resource: EncryptedResource, key: string): string {
  const all = Buffer.from(resource.ciphertext, 'base64')
  const d = createDecipheriv('aes-256-gcm', key, resource.nonce)
  d.setAAD(Buffer.from(resource.associated_data ?? ''))
  d.setAuthTag(all.subarray(-16))
  return Buffer.concat([d.update(all.subarray(0, -16)), d.final()]).toString('utf8')
}
