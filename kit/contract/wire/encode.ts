import type { Id } from '#kit/domain/id.ts'
import { methodOf, pathOf, type Call, type Method } from '../call.ts'
import { kindBehaviour, nestedFieldsOf } from '../value.ts'
import {
  isObject,
  isPresent,
  sumMembersOf,
  valueFieldOf,
  wireMembersOf,
  type RawObject,
  type WireMember,
} from './members.ts'
import { resultCode, type Envelope, type Refused } from './result.ts'

/** The sender of a request: the members that no call declares. */
export interface Sender {
  readonly ownerId?: Id | undefined
  readonly operatorId?: Id | undefined
  readonly projectCode?: string | number | undefined
  readonly uuid?: string | undefined
}

export interface EncodedRequest {
  readonly method: Method
  readonly path: string
  readonly query: string
  readonly body: string | undefined
}

type EncodeMembers = (value: RawObject, members: readonly WireMember[]) => Record<string, unknown>

/** For responses: every member under all its names, `null` where there is no value. */
const encodeMembers: EncodeMembers = (value, members) => {
  const out: Record<string, unknown> = {}
  for (const member of members) {
    const encoded = encodeValue(value[member.key], member, encodeMembers)
    for (const name of member.names) {
      out[name] = encoded
    }
  }
  return out
}

/** For requests: each member once; members without a value are left out. */
const encodeRequestMembers: EncodeMembers = (value, members) => {
  const out: Record<string, unknown> = {}
  for (const member of members) {
    if (isPresent(value[member.key])) {
      out[member.names[0]] = encodeValue(value[member.key], member, encodeRequestMembers)
    }
  }
  return out
}

/**
 * For edits: members that the draft leaves empty are sent empty, because the server keeps members that it is
 * not sent.
 */
const encodeEditMembers: EncodeMembers = (value, members) => ({
  ...Object.fromEntries(members.map(({ names }) => [names[0], ''])),
  ...encodeRequestMembers(value, members),
})

/** Stored values as a client would send them. */
export const encodeStored: EncodeMembers = (value, members) => encodeRequestMembers(value, members)

// The type of a value follows from its member's field: nested values are rows of the declared fields.
const encodeValue = (value: unknown, member: WireMember, encodeRow: EncodeMembers): unknown => {
  if (!isPresent(value)) return null
  if (!member.nested) return kindBehaviour[member.field.kind].toWire(value, member.field)
  const members = wireMembersOf(nestedFieldsOf(member.field))
  return member.nested === 'part'
    ? encodeRow(value as RawObject, members)
    : (value as readonly RawObject[]).map(row => encodeRow(row, members))
}

const successEnvelope = (Data: unknown): Envelope => ({ Code: resultCode.ok, Message: '', Data })

/** The envelope of a response: lists are arrays, pages have `Total` (and `Sum`), no value is `null`. */
export function encodeResponse<O>({ output }: Pick<Call<unknown, O>, 'output'>, value: O): Envelope {
  if (output.form === 'none' || output.form === 'blob' || !isPresent(value)) return successEnvelope(null)
  if (output.form === 'value') {
    const field = valueFieldOf(output)
    return successEnvelope(kindBehaviour[field.kind].toWire(value, field))
  }
  const members = wireMembersOf(output)
  const encodeRow = (row: unknown): unknown => encodeMembers(row as RawObject, members)
  if (output.form === 'one') return successEnvelope(encodeRow(value))
  if (output.form === 'many') return successEnvelope((value as readonly unknown[]).map(encodeRow))
  const page = value as { total: number; rows: readonly unknown[]; sum?: RawObject }
  return {
    ...successEnvelope(page.rows.map(encodeRow)),
    Total: page.total,
    ...(page.sum ? { Sum: encodeMembers(page.sum, sumMembersOf(output)) } : {}),
  }
}

export const encodeRefusal = (e: Refused): Envelope => ({
  Code: e.code,
  Message: e.message,
  Data: e.data ?? null,
})

/** `a[b][0][c]=…`: members by name, rows by number, plain lists as `name[]`; no rows as `a=[]`. */
function formPairs(value: unknown, name: string): [string, string][] {
  if (Array.isArray(value) && !value.length) return [[name, '[]']]
  if (Array.isArray(value))
    return value.flatMap((item, i) =>
      formPairs(item, typeof item === 'object' ? `${name}[${i}]` : `${name}[]`),
    )
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, member]) => formPairs(member, name ? `${name}[${key}]` : key))
  return isPresent(value) ? [[name, String(value)]] : []
}

const encodeForm = (value: object): string => new URLSearchParams(formPairs(value, '')).toString()

/** A query has no nesting: lists by commas, rows as JSON. */
function flattenForQuery(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.some(item => typeof item === 'object') ? JSON.stringify(value) : value.join(',')
}

const flattenMembers = (members: RawObject, prefix = ''): RawObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [prefix + name, flattenForQuery(value)]))

/** Encodes a request of the client: the envelope of 0§7 by method. A project code of 0 is dropped. */
export function encodeRequest<I>(call: Call<I>, input: NoInfer<I>, sender: Sender): EncodedRequest {
  const method = methodOf(call)
  const project = String(sender.projectCode ?? '') === '0' ? undefined : sender.projectCode
  const senderMembers = { OwnerID: sender.ownerId, OperaterID: sender.operatorId, ProjectCode: project }
  const inQuery = (members: object): EncodedRequest => ({
    method,
    path: pathOf(call),
    query: encodeForm(members),
    body: undefined,
  })
  const inBody = (members: object): EncodedRequest => ({
    method,
    path: pathOf(call),
    query: '',
    body: method === 'PUT' ? JSON.stringify(members) : encodeForm(members),
  })
  if (call.input.form === 'value') {
    const field = valueFieldOf(call.input)
    const Data = isPresent(input) ? kindBehaviour[field.kind].toWire(input, field) : undefined
    const envelope = { ...senderMembers, uuid: sender.uuid }
    return method === 'GET' || method === 'DELETE'
      ? inQuery({ ...envelope, Data: flattenForQuery(Data) })
      : inBody({ ...envelope, Data })
  }
  const inputObject: RawObject = isObject(input) ? input : {}
  const encode =
    call.input.isDraft && isPresent(inputObject.id) && inputObject.id !== 0
      ? encodeEditMembers
      : encodeRequestMembers
  const data = call.input.form === 'none' ? {} : encode(inputObject, wireMembersOf(call.input))
  const { ID, PageIndex, PageSize, Ids, ...rest } = data
  const { ProjectCode = project, ...filters } = rest
  const envelope = { ID, Ids, PageIndex, PageSize, ...senderMembers, ProjectCode, uuid: sender.uuid }
  if (method === 'GET') return inQuery({ ...envelope, ...flattenMembers(filters, 'data.') })
  if (method === 'DELETE') return inQuery({ ...envelope, ...flattenMembers(rest) })
  return inBody(call.flat ? { ...rest, ...envelope } : { ...envelope, Data: data })
}
