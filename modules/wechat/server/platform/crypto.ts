import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const blockBytes = 32
const randomPrefixBytes = 16
const lengthBytes = 4
const keyTextLength = 43

/** SHA-1 of the parts in the order of their characters: `signature` and `msg_signature` of the platform. */
export const signatureOf = (...parts: readonly string[]): string =>
  createHash('sha1').update(parts.toSorted(compareByCode).join('')).digest('hex')

const compareByCode = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** In the same time, however much of it is right. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** A token for signatures, as the platform takes it: letters and digits. */
export const newToken = (): string => randomBytes(16).toString('hex')

/** An `EncodingAESKey`: 43 letters and digits, the last without bits of its own. */
export function newAesKey(): string {
  for (;;) {
    const text = randomBytes(32).toString('base64').slice(0, keyTextLength)
    if (/^[A-Za-z0-9]{43}$/.test(text)) return text
  }
}

const keyOfText = (text: string): Buffer => {
  const key = Buffer.from(`${text}=`, 'base64')
  if (text.length !== keyTextLength || key.length !== 32) throw new Error('the EncodingAESKey is malformed')
  return key
}

/** PKCS#7 in blocks of 32 bytes, unlike what AES itself pads with. */
function pad(bytes: Buffer): Buffer {
  const missing = blockBytes - (bytes.length % blockBytes)
  return Buffer.concat([bytes, Buffer.alloc(missing, missing)])
}

function unpad(bytes: Buffer): Buffer {
  const count = bytes.at(-1) ?? 0
  const padding = bytes.subarray(bytes.length - count)
  const isSound =
    count >= 1 && count <= blockBytes && padding.length === count && padding.every(b => b === count)
  if (!isSound) throw new Error('the padding of the message is wrong')
  return bytes.subarray(0, bytes.length - count)
}

/** The encrypted text of a message for an account; `prefix` is random but in a worked example. */
export function encryptMessage(
  aesKey: string,
  appId: string,
  message: string,
  prefix: Buffer = randomBytes(randomPrefixBytes),
): string {
  const key = keyOfText(aesKey)
  const body = Buffer.from(message)
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(body.length)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const plain = pad(Buffer.concat([prefix, length, body, Buffer.from(appId)]))
  return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64')
}

/** The message of an encrypted text. Throws where it is of another key or account, or was cut. */
export function decryptMessage(aesKey: string, appId: string, encrypted: string): string {
  const key = keyOfText(aesKey)
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const plain = unpad(Buffer.concat([decipher.update(Buffer.from(encrypted, 'base64')), decipher.final()]))
  const start = randomPrefixBytes + lengthBytes
  if (plain.length < start) throw new Error('the message is too short')
  const end = start + plain.readUInt32BE(randomPrefixBytes)
  if (end > plain.length) throw new Error('the message is cut')
  if (plain.subarray(end).toString() !== appId) throw new Error('the message is for another account')
  return plain.subarray(start, end).toString()
}
