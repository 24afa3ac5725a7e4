import { createHash } from 'node:crypto'
import type { JsonObject } from '../../json.ts'
import { DriverFailure } from '../driver.ts'

/** Kinds of credentials that a controller takes, and what their numbers of people begin with. */
const kinds = { card: 'C', qr: 'Q', pass: 'P', face: 'F', fingerprint: 'B' } as const

export type Kind = keyof typeof kinds

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind)

/** What has a number that readers know. */
export const isReadAsCard = (kind: Kind): boolean => kind !== 'face' && kind !== 'fingerprint'

const maxNumberLength = 20

export interface Credential {
  readonly kind: Kind
  readonly employeeNo: string
  /** The number of a card, or the text of a code: readers treat a code like a card. */
  readonly number: string
  readonly name: string
  readonly pictureLink?: string
  /** Where the template of a finger is fetched. */
  readonly templateLink?: string
  /** Local, on the last of its days. */
  readonly endTime?: string
}

/**
 * A person of the controller's own for each credential, as rights belong to credentials: the number follows
 * from the key, so that what is to be removed is found without any memory.
 */
export function employeeNoOf(key: string): string {
  const separator = key.indexOf(':')
  const kind = key.slice(0, separator)
  const rest = key.slice(separator + 1)
  const letter = isKind(kind) ? kinds[kind] : 'X'
  return /^[A-Z0-9]{1,20}$/.test(rest)
    ? `${letter}${rest}`
    : `${letter}-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
}

/** Readers give a template in base64 or in hexadecimal; a controller takes base64. */
export const base64Template = (text: string): string =>
  /^([0-9a-f]{2})+$/i.test(text)
    ? Buffer.from(text, 'hex').toString('base64')
    : Buffer.from(text, 'base64').toString('base64')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function credentialOf(key: string, data: JsonObject): Credential {
  const kind = key.slice(0, key.indexOf(':'))
  if (!isKind(kind)) throw new DriverFailure('此门禁设备不支持这种凭证')
  const number = textOf(data.number) || key.slice(kind.length + 1)
  if (isReadAsCard(kind) && number.length > maxNumberLength)
    throw new DriverFailure(`设备的卡号最多 ${maxNumberLength} 位`)
  const pictureLink = textOf(data.pictureLink)
  const templateLink = textOf(data.templateLink)
  const endTime = textOf(data.endTime)
  return {
    kind,
    employeeNo: employeeNoOf(key),
    number,
    name: [...textOf(data.name)].slice(0, 32).join('') || key,
    ...(pictureLink && { pictureLink }),
    ...(templateLink && { templateLink }),
    ...(endTime && { endTime }),
  }
}
