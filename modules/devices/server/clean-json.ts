import { isObject } from '#kit/contract/wire/members.ts'

/** Deeper than any answer of a device; PostgreSQL and `JSON.stringify` end somewhere beyond. */
const maxDepth = 100
const tooDeep = '（层级过深，已省略）'

/** How a text can hold what the database does not: a lone half of a character, or NUL. A frame is UTF-8. */
const suspect = /\\u(?:d[89a-f]|0000)/i

const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return tooDeep
  if (Array.isArray(value)) return value.map(each => clean(each, depth + 1))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), clean(each, depth + 1)]))
    : value
}

/** Whether values are nested deeper than that, by the brackets outside of texts. */
function isDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < json.length; i++) {
    const sign = json[i]
    if (isInText) {
      if (sign === '\\') {
        i++
      } else if (sign === '"') {
        isInText = false
      }
    } else if (sign === '"') {
      isInText = true
    } else if (sign === '[' || sign === '{') {
      depth++
    } else if (sign === ']' || sign === '}') {
      depth--
    }
    if (depth > maxDepth) return true
  }
  return false
}

/** Parses JSON in which every text can be stored, and every value written as JSON again. */
export function cleanJson(json: string): unknown {
  const value: unknown = JSON.parse(json)
  return suspect.test(json) || isDeep(json) ? clean(value, 0) : value
}
