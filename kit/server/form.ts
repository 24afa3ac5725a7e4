import { Refused, code, limits } from '#kit/contract/wire.ts'
import qs from 'qs'

type Loose = Record<string, unknown>

const tooMuch = (): never => {
  throw new Refused(code.input, `提交的数据嵌套过深或过多：最多 ${limits.depth} 层、${limits.members} 项`)
}

/**
 * Form-encoded text with nested names in brackets: `Data[Rooms][0][ID]=7`. Refuses past the wire's limits.
 */
export function parseForm(text: string): Loose {
  if (!text.includes('[') && !text.includes('%5')) return parseFlat(text)
  try {
    return qs.parse(text, {
      depth: limits.depth,
      strictDepth: true,
      parameterLimit: limits.members,
      throwOnLimitExceeded: true,
      arrayLimit: limits.ids,
      ignoreQueryPrefix: true,
    }) as Loose
  } catch {
    return tooMuch()
  }
}

/** What was wrong with a query: the router reads it before there is anybody to tell, and must not throw. */
export const fault = Symbol('fault')

export const parseQuery = (text: string): Loose => {
  try {
    return parseForm(text)
  } catch (e) {
    return { [fault]: e } as Loose
  }
}

const decoded = (s: string): string => {
  const plain = s.includes('+') ? s.replaceAll('+', ' ') : s
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** Nearly every query has no brackets, and then no need of the parser that knows them. */
function parseFlat(text: string): Loose {
  const out: Loose = {}
  if (text === '') return out
  let members = 0
  for (let from = 0; from <= text.length;) {
    let end = text.indexOf('&', from)
    if (end < 0) {
      end = text.length
    }
    if (end > from) {
      if (++members > limits.members) {
        tooMuch()
      }
      const at = text.indexOf('=', from)
      const split = at < 0 || at > end ? end : at
      const key = decoded(text.slice(from, split))
      const value = split === end ? '' : decoded(text.slice(split + 1, end))
      if (key !== '__proto__') {
        const had = Object.hasOwn(out, key) ? out[key] : undefined
        if (had === undefined) {
          out[key] = value
        } else if (Array.isArray(had)) {
          had.push(value)
        } else {
          out[key] = [had, value]
        }
      }
    }
    from = end + 1
  }
  return out
}
