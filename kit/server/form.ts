import { Refused, code, limits } from '#kit/contract/wire.ts'
import qs from 'qs'

type Loose = Record<string, unknown>
const tooMuch = (): never => { throw new Refused(code.input, `提交的数据嵌套过深或过多：最多 ${limits.depth} 层、${limits.members} 项`) }

/** Form-encoded text with nested names in brackets: `Data[Rooms][0][ID]=7`. Refuses past the wire's limits. */
export function parseForm(text: string): Loose {
  if (!/\[|%5b/i.test(text)) return parseFlat(text)
  try { return qs.parse(text, { depth: limits.depth, strictDepth: true, parameterLimit: limits.members, throwOnLimitExceeded: true, arrayLimit: limits.ids, ignoreQueryPrefix: true }) as Loose }
  catch { return tooMuch() }
}

/** What was wrong with a query: the router reads it before there is anybody to tell, and must not throw. */
export const fault = Symbol('fault')
export const parseQuery = (text: string): Loose => { try { return parseForm(text) } catch (e) { return { [fault]: e } as Loose } }

const decoded = (s: string): string => { try { return decodeURIComponent(s.replaceAll('+', ' ')) } catch { return s } }
/** Nearly every query has no brackets, and then no need of the parser that knows them. */
function parseFlat(text: string): Loose {
  const out: Loose = {}
  if (text === '') return out
  const parts = text.split('&')
  if (parts.length > limits.members) tooMuch()
  for (const part of parts) {
    if (part === '') continue
    const at = part.indexOf('='), key = decoded(at < 0 ? part : part.slice(0, at)), value = at < 0 ? '' : decoded(part.slice(at + 1))
    if (key === '__proto__') continue
    const had = out[key]
    if (had === undefined || !Object.hasOwn(out, key)) out[key] = value
    else if (Array.isArray(had)) had.push(value)
    else out[key] = [had, value]
  }
  return out
}
