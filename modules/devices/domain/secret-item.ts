import type { Id } from '#kit/domain/id.ts'

/** Kinds of items that open for everybody who knows them: the code of a visitor or a resident, a password. */
const secretKinds = ['qr', 'pass', 'password'] as const

const kinds = secretKinds.join('|')
/** A device that holds the items of several modules has theirs before the kind: `lift:qr:1234`. */
const ofModule = '[a-z]+:'
const secretKey = new RegExp(`^((?:${ofModule})?(?:${kinds})):(.+)$`)
const secretInText = new RegExp(`"(?:${ofModule})?(?:${kinds}):([^"]+)"`, 'g')

/** How many digits codes have: those of visitors, and those that people show on a telephone. */
const codeForm = '[0-9]{8}|[0-9]{16}'
const wholeCode = new RegExp(`^(?:${codeForm})$`)
/** What a device read and may take for the number of a card that it does not know. */
const codeInText = new RegExp(`"(?:card|item)":"?(?:[a-z]+:)*(${codeForm})["},]`, 'gi')

/** Whether it may be somebody's code, of this project or another: of what nobody is known to have. */
export const hasCodeForm = (number: string | undefined): boolean =>
  number !== undefined && wholeCode.test(number)

/** Texts that hold such a key, or what may be a code, as the database matches them. */
export const secretTextPattern = [
  `"(${ofModule})?(${kinds}):`,
  `"(card|item)":"?([a-zA-Z]+:)*(${codeForm})["},]`,
].join('|')
/** Such keys, as the database matches them. */
export const secretKeyPattern = `^(${ofModule})?(${kinds}):`

/** By its last two digits, by which people tell codes apart. */
export const maskSecret = (secret: string): string =>
  `${'*'.repeat(Math.max(2, secret.length - 2))}${secret.length > 4 ? secret.slice(-2) : ''}`

export const isSecretKey = (itemKey: string | undefined): boolean =>
  itemKey !== undefined && secretKey.test(itemKey)

export const maskItemKey = (itemKey: string): string =>
  itemKey.replace(secretKey, (_, kind: string, secret: string) => `${kind}:${maskSecret(secret)}`)

/** The same of a key of any kind. */
export const maskNumberOfKey = (itemKey: string): string =>
  itemKey.replace(/^((?:[a-z]+:)*)(.+)$/, (_, kind: string, number: string) => `${kind}${maskSecret(number)}`)

/** The key as lists show it: of a secret the number of its row goes with it, by which it is sent again. */
export const shownItemKey = ({ id, itemKey }: { readonly id: Id; readonly itemKey: string }): string =>
  isSecretKey(itemKey) ? `${maskItemKey(itemKey)}#${id}` : itemKey

/** The same of any credential, for those who may not see whose card has which number. */
export function maskedItemKey({ id, itemKey }: { readonly id: Id; readonly itemKey: string }): string {
  const [, kind, number] = /^(card):([^#]+)$/.exec(itemKey) ?? []
  return kind === undefined || number === undefined ? itemKey : `${kind}:${maskSecret(number)}#${id}`
}

/** The number of the row behind a key that was shown masked. */
export function idOfShownKey(shown: string): string | undefined {
  const [, id] = /^(?:[a-z]+:)+\*+[\dA-Z]*#(\d{1,15})$/.exec(shown) ?? []
  return id
}

/** JSON of an event without the secrets in it, wherever they are repeated. */
export function maskSecretsIn(content: string): string {
  const found = [secretInText, codeInText].flatMap(pattern => [...content.matchAll(pattern)])
  return found.reduce((text, [, secret = '']) => {
    const masked = maskSecret(secret)
    return text
      .replaceAll(`:${secret}"`, `:${masked}"`)
      .replaceAll(`"${secret}"`, `"${masked}"`)
      .replaceAll(`:${secret},`, `:"${masked}",`)
      .replaceAll(`:${secret}}`, `:"${masked}"}`)
  }, content)
}
