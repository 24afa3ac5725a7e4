import type { Call } from '../call.ts'
import { encodeStored } from './encode.ts'
import { findRequestMembers, type MemberSources } from './member-sources.ts'
import { isObject, wireMembersOf, type RawObject, type WireMember } from './members.ts'
import { invalidInput } from './result.ts'

const isSent = ({ lowerNames, topLevelNames }: WireMember, from: MemberSources): boolean =>
  lowerNames.some(name => from.inner.has(name)) ||
  (from.allowsTopLevel ? lowerNames : topLevelNames).some(name => from.top.has(name))

/**
 * The record that an edit names and does not say whole; nothing where the call edits none, this is a new one,
 * or every member was sent.
 */
export function editedRecord(call: Call, raw: RawObject): { entity: string; id: string } | undefined {
  const { entity, isDraft } = call.input
  if (!isDraft || entity === undefined || !call.input.fields.id) return undefined
  const from = findRequestMembers(call, raw)
  if (wireMembersOf(call.input).every(member => member.key === 'id' || isSent(member, from))) return undefined
  const id = from.inner.get('id') ?? from.top.get('id')
  return (typeof id === 'string' || typeof id === 'number') && Number(id) > 0
    ? { entity, id: String(id) }
    : undefined
}

/**
 * The request with what it left out, taken from the record as it stands. What was sent empty stays empty: so
 * a value is cleared. `stored` has its values by key; what it does not know stays out.
 */
export function completeEdit(call: Call, raw: RawObject, stored: RawObject): RawObject {
  const from = findRequestMembers(call, raw)
  const kept = wireMembersOf(call.input).filter(
    member => member.key !== 'id' && stored[member.key] !== undefined && !isSent(member, from),
  )
  const members = encodeStored(stored, kept)
  return {
    ...raw,
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [`data.${name}`, value])),
  }
}

/** What the envelope of every request can carry. */
const envelopeNames = new Set([
  'id',
  'ids',
  'pageindex',
  'pagesize',
  'ownerid',
  'operaterid',
  'projectcode',
  'uuid',
  'data',
  'strict',
])

const unknownOf = (
  names: Iterable<string>,
  members: readonly WireMember[],
  isKnown: (name: string) => boolean = () => false,
): string[] => {
  const known = new Set(members.flatMap(({ lowerNames }) => lowerNames))
  return [...names].filter(name => !known.has(name.toLowerCase()) && !isKnown(name.toLowerCase()))
}

/**
 * Refuses members that the call does not know, each by its name as it was sent: a mistyped filter would
 * otherwise silently narrow nothing.
 */
export function assertKnownMembers(call: Call, raw: RawObject): void {
  const members = wireMembersOf(call.input)
  const { data } = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name.toLowerCase(), value]))
  const top = Object.keys(raw).map(name => name.replace(/^data\./i, ''))
  const unknown = [
    ...unknownOf(top, members, name => envelopeNames.has(name)),
    ...(isObject(data) ? unknownOf(Object.keys(data), members, name => name === 'id') : []),
  ]
  if (unknown.length)
    throw invalidInput(unknown.map(Field => ({ Field, Message: `没有名为「${Field}」的参数，请核对名称` })))
}
