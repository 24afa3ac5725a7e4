import { createHash, timingSafeEqual } from 'node:crypto'

/** Keys are random and long: their digest is enough. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export const isKey = (key: string, hash: string): boolean => {
  const [a, b] = [Buffer.from(hashKey(key)), Buffer.from(hash)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Name and password of `Authorization: Basic …`. */
export function readBasic(header: string | undefined): { name: string; key: string } | undefined {
  const encoded = /^Basic ([\w+/=]{1,400})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon > 0 ? { name: text.slice(0, colon), key: text.slice(colon + 1) } : undefined
}
