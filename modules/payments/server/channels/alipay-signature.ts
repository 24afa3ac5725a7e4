import { sign, verify } from './wechat-signature.ts'

/** RSA2 of Alipay's open gateway: names in order, empty ones and the signature itself left out. */
export const buildAlipaySignText = (
  params: Readonly<Record<string, string>>,
  excludedKeys: readonly string[],
): string =>
  Object.keys(params)
    .filter(k => !excludedKeys.includes(k) && params[k] !== '')
    .toSorted()
    .map(k => `${k}=${params[k]}`)
    .join('&')

export const signAlipayParams = (
  p: Readonly<Record<string, string>>,
  privateKey: string,
): Record<string, string> => ({ ...p, sign: sign(buildAlipaySignText(p, ['sign']), privateKey) })

/** A request carries `sign_type` in what is signed, a callback does not. */
export const verifyAlipayParams = (
  params: Readonly<Record<string, string>>,
  publicKey: string,
  { isCallback }: { readonly isCallback: boolean },
): boolean =>
  verify(
    buildAlipaySignText(params, isCallback ? ['sign', 'sign_type'] : ['sign']),
    params.sign ?? '',
    publicKey,
  )

/** The signed part of an answer, as it was written: signatures are over the text, not over what it means. */
export function extractAlipaySignedPart(text: string, key: string): string | undefined {
  const start = text.indexOf(`"${key}":`)
  if (start < 0) return undefined
  const from = text.indexOf('{', start)
  if (from < 0) return undefined
  let depth = 0
  let quoted = false
  for (let i = from; i < text.length; i++) {
    const character = text[i]
    if (quoted) {
      if (character === '\\') {
        i++
      } else if (character === '"') {
        quoted = false
      }
    } else if (character === '"') {
      quoted = true
    } else if (character === '{') {
      depth++
    } else if (character === '}' && --depth === 0) {
      return text.slice(from, i + 1)
    }
  }
  return undefined
}
