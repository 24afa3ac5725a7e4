import { Refused, resultCode, requestLimits } from '#kit/contract/wire.ts'
import qs from 'qs'

type RawObject = Record<string, unknown>

const refuseOversized = (): never => {
  throw new Refused(
    resultCode.invalidInput,
    `提交的数据嵌套过深或过多：最多 ${requestLimits.depth} 层、${requestLimits.members} 项`,
  )
}

/**
 * Form-encoded text with nested names in brackets: `Data[Rooms][0][ID]=7`. Refuses past the wire's limits.
 */
export function parseForm(text: string): RawObject {
  if (!text.includes('[') && !text.includes('%5')) return parseFlat(text)
  try {
    return qs.parse(text, {
      depth: requestLimits.depth,
      strictDepth: true,
      parameterLimit: requestLimits.members,
      throwOnLimitExceeded: true,
      arrayLimit: requestLimits.ids,
      ignoreQueryPrefix: true,
    })
  } catch {
    return refuseOversized()
  }
}

/** What was wrong with a query: the router reads it before there is anybody to tell, and must not throw. */
export const queryError = Symbol('fault')

export const parseQuery = (text: string): RawObject => {
  try {
    return parseForm(text)
  } catch (e) {
    return { [queryError]: e }
  }
}

const decodeComponent = (text: string): string => {
  const plain = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** Nearly every query has no brackets, and then no need of the parser that knows them. */
function parseFlat(text: string): RawObject {
  const out: RawObject = {}
  if (text === '') return out
  let members = 0
  for (let from = 0; from <= text.length;) {
    let end = text.indexOf('&', from)
    if (end < 0) {
      end = text.length
    }
    if (end > from) {
      if (++members > requestLimits.members) {
        refuseOversized()
      }
      const at = text.indexOf('=', from)
      const split = at < 0 || at > end ? end : at
      const key = decodeComponent(text.slice(from, split))
      const value = split === end ? '' : decodeComponent(text.slice(split + 1, end))
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
