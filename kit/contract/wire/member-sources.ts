import type { Call } from '../call.ts'
import { assertWithinLimits } from './limits.ts'
import { isObject, wireMembersOf, type RawObject, type WireMember } from './members.ts'
import { Refused } from './result.ts'

type ValuesByName = ReadonlyMap<string, unknown>

/**
 * Where members stand: first inside, then at the top, of which only the envelope's names count once there is
 * an inside. Names are in lower case.
 */
export interface MemberSources {
  readonly top: ValuesByName
  readonly inner: ValuesByName
  readonly allowsTopLevel: boolean
}

/** Of two spellings of one name the first counts: it is the one we write first. */
const lowerCaseKeys = (object: RawObject): Map<string, unknown> => {
  const byName = new Map<string, unknown>()
  for (const key in object) {
    const name = key.toLowerCase()
    if (!byName.has(name)) {
      byName.set(name, object[key])
    }
  }
  return byName
}

const noValues: ValuesByName = new Map()

/** The sources of one nested row: its own members alone. */
export const nestedSources = (row: unknown): MemberSources => ({
  inner: isObject(row) ? lowerCaseKeys(row) : noValues,
  top: noValues,
  allowsTopLevel: false,
})

/** `Data` as it came; a text that is JSON is read, one that merely looks like it stays a text. */
function parseData(data: unknown): unknown {
  if (typeof data !== 'string' || !/^\s*[{[]/.test(data)) return data
  try {
    const parsed: unknown = JSON.parse(data)
    assertWithinLimits(parsed)
    return parsed
  } catch (e) {
    if (e instanceof Refused) throw e
    return data
  }
}

/** Members of a search that every list has: a bare `Data` means none of them. */
const listQueryKeys = ['page', 'size', 'keyword', 'order', 'projectCode']

/**
 * The input is in `Data` (an object, or its JSON), or at the top (the new style, and a query); `data.X`
 * in a query wins over a bare `X`. `Data` as a text or a list is the one field that the call declares.
 */
export function findRequestMembers(call: Call, raw: RawObject): MemberSources {
  const top = new Map<string, unknown>()
  const prefixed = new Map<string, unknown>()
  for (const key in raw) {
    const name = key.toLowerCase()
    if (name.startsWith('data.')) {
      prefixed.set(name.slice(5), raw[key])
    } else if (!top.has(name)) {
      top.set(name, raw[key])
    }
  }
  const data = parseData(top.get('data'))
  if (isObject(data)) {
    const inner = lowerCaseKeys(data)
    for (const [name, value] of prefixed) {
      inner.set(name, value)
    }
    return { top, inner, allowsTopLevel: false }
  }
  if (data !== undefined && data !== '') {
    const onlyMember = wireMembersOf(call.input).find(member => !listQueryKeys.includes(member.key))
    for (const name of onlyMember?.lowerNames ?? []) {
      prefixed.set(name, data)
    }
  }
  return { top, inner: prefixed, allowsTopLevel: true }
}

/** For comparing what was copied with what is stored: a number as its text. */
export const textOfRaw = (raw: unknown): string =>
  typeof raw === 'string' ? raw.trim() : raw === undefined || raw === null ? '' : JSON.stringify(raw)

/** All that was sent, by its name in lower case; whether it stood inside `Data`. */
export interface SentMembers {
  readonly isInside: boolean
  readonly values: ReadonlyMap<string, readonly unknown[]>
}

/** Like `findRequestMembers`, but with every spelling of a name. */
export function findSentMembers(raw: RawObject): SentMembers {
  const outer = Object.entries(raw).map(([name, value]) => [name.toLowerCase(), value] as const)
  const data = parseData(outer.find(([name]) => name === 'data')?.[1])
  const inner = isObject(data) ? Object.entries(data) : outer
  const prefixed = outer.filter(([name]) => name.startsWith('data.'))
  const sent = [...inner, ...prefixed.map(([name, value]) => [name.slice(5), value] as const)]
  const byName = Map.groupBy(sent, ([name]) => name.toLowerCase())
  return {
    isInside: isObject(data),
    values: new Map([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value)])),
  }
}

/**
 * The values that the spellings of one name carry; several where one of them was changed in a copied record
 * and the other was not.
 */
export function spelledValues({ isInside, values }: SentMembers, member: WireMember): unknown[] {
  // At the top a name of the envelope is the sender's, whatever the record has under it.
  if (!isInside && member.topLevelNames.length) return []
  const found = [...new Set(member.lowerNames)].flatMap(name => values.get(name) ?? [])
  return found.length < 2 ? found : [...new Map(found.map(value => [textOfRaw(value), value])).values()]
}

/** Absent, null, or a text of spaces. */
const isEmpty = (raw: unknown): boolean =>
  raw === undefined ||
  raw === null ||
  raw === '' ||
  (typeof raw === 'string' && /^\s/.test(raw) && raw.trim() === '')

/** The first of a member's names that holds anything. */
export const rawValueOf = (member: WireMember, { inner, top, allowsTopLevel }: MemberSources): unknown => {
  for (const name of member.lowerNames) {
    const raw = inner.get(name)
    if (!isEmpty(raw)) return raw
  }
  for (const name of allowsTopLevel ? member.lowerNames : member.topLevelNames) {
    const raw = top.get(name)
    if (!isEmpty(raw)) return raw
  }
  return undefined
}
