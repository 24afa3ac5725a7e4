import { isWrite, type Call } from '../call.ts'
import { encodeStored } from './encode.ts'
import {
  findRequestMembers,
  findSentMembers,
  spelledValues,
  textOfRaw,
  type MemberSources,
} from './member-sources.ts'
import { isObject, wireMembersOf, type RawObject, type WireMember } from './members.ts'
import { invalidInput } from './result.ts'

const isSent = ({ lowerNames, topLevelNames }: WireMember, from: MemberSources): boolean =>
  lowerNames.some(name => from.inner.has(name)) ||
  (from.allowsTopLevel ? lowerNames : topLevelNames).some(name => from.top.has(name))

/** Members of which two spellings came with two values, nested rows aside; the values with each. */
function contradictory(call: Call, raw: RawObject): { member: WireMember; values: unknown[] }[] {
  const sent = findSentMembers(raw)
  return wireMembersOf(call.input).flatMap(member => {
    const values = member.key === 'id' || member.nested ? [] : spelledValues(sent, member)
    return values.length > 1 ? [{ member, values }] : []
  })
}

/** The number of the record, in whichever spelling it came (`ID`, `OrderID`). */
function sentId(call: Call, from: MemberSources): unknown {
  const member = wireMembersOf(call.input).find(({ key }) => key === 'id')
  const topNames = (from.allowsTopLevel ? member?.lowerNames : member?.topLevelNames) ?? []
  return [
    ...['id', ...(member?.lowerNames ?? [])].map(name => from.inner.get(name)),
    ...['id', ...topNames].map(name => from.top.get(name)),
  ].find(value => value !== undefined && value !== '')
}

/**
 * The record that an edit names, where it does not say it whole or says a member of it two ways; nothing
 * where the call edits none, or this is a new one. The only record of a company is named by no number.
 */
export function editedRecord(
  call: Call,
  raw: RawObject,
): { entity: string; id: string | undefined } | undefined {
  const { entity, isDraft, isOnlyRecord, filters } = call.input
  if (entity === undefined || filters || !call.input.fields.id || !isWrite(call)) return undefined
  const from = findRequestMembers(call, raw)
  const isWhole =
    !isDraft || wireMembersOf(call.input).every(member => member.key === 'id' || isSent(member, from))
  if (isWhole && !contradictory(call, raw).length) return undefined
  if (isOnlyRecord) return { entity, id: undefined }
  const id = sentId(call, from)
  return (typeof id === 'string' || typeof id === 'number') && Number(id) > 0
    ? { entity, id: String(id) }
    : undefined
}

/**
 * The request with what it left out, taken from the record as it is. What was sent empty stays empty: so
 * a value is cleared. Of two spellings with two values the one counts that is not what is stored: the other
 * was copied with the record. `stored` has its values by key; what it does not know stays out.
 */
export function completeEdit(call: Call, raw: RawObject, stored: RawObject): RawObject {
  const from = findRequestMembers(call, raw)
  const kept = wireMembersOf(call.input).filter(
    member =>
      call.input.isDraft && member.key !== 'id' && stored[member.key] !== undefined && !isSent(member, from),
  )
  const added = new Map(
    Object.entries(encodeStored(stored, kept)).map(([name, value]) => [`data.${name}`.toLowerCase(), value]),
  )
  for (const { member, values } of contradictory(call, raw)) {
    const copied = textOfRaw(Object.values(encodeStored(stored, [member]))[0])
    const changed = values.find(value => textOfRaw(value) !== copied)
    member.lowerNames.forEach(name => added.set(`data.${name}`, changed))
  }
  const rest = Object.entries(raw).filter(([name]) => !added.has(name.toLowerCase()))
  return Object.fromEntries([...rest, ...added])
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
