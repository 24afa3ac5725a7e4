import { methodOf, pathOf, type Call, type Method } from '../call.ts'
import type { Field } from '../field.ts'
import { UnreadableValue, kindBehaviour, nestedFieldsOf, validateValue } from '../value.ts'
import { findRequestMembers, nestedSources, rawValueOf, type MemberSources } from './member-sources.ts'
import {
  isObject,
  sumMembersOf,
  valueFieldOf,
  wireMembersOf,
  type RawObject,
  type WireMember,
} from './members.ts'
import { Refused, invalidInput, isSuccess, type Envelope, type FieldFault } from './result.ts'

export interface DecodedRequest<I> {
  readonly input: I
  readonly sender: {
    readonly ownerId: number | undefined
    readonly operatorId: number | undefined
    readonly projectCode: string
    readonly uuid: string
  }
}

type Decoded = { readonly value: unknown } | { readonly fault: string }

/** One field's value, or what is wrong with it; an empty one takes the field's initial value. */
function decodeField(field: Field, raw: unknown, isDeletion: boolean): Decoded {
  let value: unknown
  try {
    value = raw === undefined ? undefined : kindBehaviour[field.kind].fromWire(raw, field)
  } catch (e) {
    if (!(e instanceof UnreadableValue)) throw e
    return { fault: `${field.label}${e.message}` }
  }
  const initial = isDeletion ? (field.initialInDelete ?? field.initial) : field.initial
  const filled = value === '' || value === undefined ? initial : value
  const fault = validateValue(field, filled)
  return fault ? { fault } : { value: filled }
}

/** The members of an object and of the rows in it; every fault is named by its path. */
function decodeMembers(
  members: readonly WireMember[],
  from: MemberSources,
  path: string,
  faults: FieldFault[],
  isDeletion: boolean,
): RawObject {
  const out: Record<string, unknown> = {}
  for (const member of members) {
    const name = path + member.names[0]
    const decoded = decodeField(member.field, rawValueOf(member, from), isDeletion)
    if ('fault' in decoded) {
      faults.push({ Field: name, Message: decoded.fault })
      continue
    }
    const { value } = decoded
    if (value === undefined) continue
    if (!member.nested) {
      out[member.key] = value
      continue
    }
    const nested = wireMembersOf(nestedFieldsOf(member.field))
    const decodeRow = (row: unknown, at: string): RawObject =>
      decodeMembers(nested, nestedSources(row), `${at}.`, faults, isDeletion)
    out[member.key] =
      member.nested === 'part'
        ? decodeRow(value, name)
        : (value as readonly unknown[]).map((row, i) => decodeRow(row, `${name}[${i}]`))
  }
  return out
}

/** The sender's id as sent. 0 means none (G-1); what is no number at all is NaN: somebody else. */
const claimedId = (raw: unknown): number | undefined =>
  raw === undefined || raw === null || raw === '' ? undefined : Number(raw)

const projectCodeOf = (raw: unknown): string =>
  (typeof raw === 'string' || typeof raw === 'number') && String(raw) !== '0' ? String(raw).slice(0, 20) : ''

/** Some entities of the specification are deleted by POST: of the plain deletion the wire is the same. */
const isDeletionBy = (method: Method, call: Call): boolean =>
  method === 'DELETE' || /\/delete$/i.test(pathOf(call))

/**
 * Reads and checks in one pass, so that a handler never sees an input that breaks its declaration. Refuses
 * with all faults at once. `method` is the one that was asked by, which may be an alias's.
 */
export function decodeRequest<I>(
  call: Call<I>,
  raw: RawObject,
  method: Method = methodOf(call),
): DecodedRequest<I> {
  const from = findRequestMembers(call, raw)
  const faults: FieldFault[] = []
  const members =
    call.input.form === 'none'
      ? undefined
      : decodeMembers(wireMembersOf(call.input), from, '', faults, isDeletionBy(method, call))
  if (faults.length) throw invalidInput(faults)
  const uuid = from.top.get('uuid')
  // Decoding by the call's shape is what makes the input its type.
  const input = (call.input.form === 'value' ? members?.data : members) as I
  return {
    input,
    sender: {
      ownerId: claimedId(from.top.get('ownerid')),
      operatorId: claimedId(from.top.get('operaterid')),
      uuid: typeof uuid === 'string' ? uuid.slice(0, 64) : '',
      projectCode: projectCodeOf(from.top.get('projectcode')),
    },
  }
}

/** The client's half of an answer. Throws `Refused` where the server refused. */
export function decodeResponse<O>(call: Pick<Call<unknown, O>, 'output'>, envelope: Envelope): O {
  if (!isSuccess(envelope.Code)) throw new Refused(Number(envelope.Code), envelope.Message, envelope.Data)
  // Decoding by the call's shape is what makes the answer its type.
  return decodeData(call, envelope) as O
}

function decodeData({ output }: Pick<Call, 'output'>, { Data, Total, Sum }: Envelope): unknown {
  if (output.form === 'none' || output.form === 'blob') return undefined
  if (output.form === 'value') {
    const field = valueFieldOf(output)
    return Data === null ? undefined : kindBehaviour[field.kind].fromWire(Data, field)
  }
  const members = wireMembersOf(output)
  const decodeRow = (row: unknown): RawObject => decodeResponseMembers(members, nestedSources(row))
  if (output.form === 'one') return Data === null ? undefined : decodeRow(Data)
  const rows = Array.isArray(Data) ? Data.map(decodeRow) : []
  if (output.form === 'many') return rows
  const sum = isObject(Sum) ? { sum: decodeResponseMembers(sumMembersOf(output), nestedSources(Sum)) } : {}
  return { total: Number(Total ?? rows.length), rows, ...sum }
}

/** What our own server says is not checked again. */
function decodeResponseMembers(members: readonly WireMember[], from: MemberSources): RawObject {
  const out: Record<string, unknown> = {}
  for (const member of members) {
    const raw = rawValueOf(member, from)
    if (raw !== undefined) {
      out[member.key] = decodeResponseValue(member, raw)
    } else if (member.field.required && member.field.kind === 'list') {
      // A list without items is sent as an empty text, which is read as no value.
      out[member.key] = []
    }
  }
  return out
}

function decodeResponseValue(member: WireMember, raw: unknown): unknown {
  if (!member.nested) return kindBehaviour[member.field.kind].fromWire(raw, member.field)
  const nested = wireMembersOf(nestedFieldsOf(member.field))
  const decodeRow = (row: unknown): RawObject => decodeResponseMembers(nested, nestedSources(row))
  return member.nested === 'part' ? decodeRow(raw) : (raw as readonly unknown[]).map(decodeRow)
}
