import { methodOf, type Call } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import {
  assertWithinLimits,
  Refused,
  decodeRequest,
  editedRecord,
  resultCode,
  wireNameOf,
} from '#kit/contract/wire.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { parseQuery } from '#kit/server/form-encoding.ts'

/** Values that no field accepts, by what they try. */
const values: readonly unknown[] = [
  "'; drop table building; --",
  "1' or '1'='1",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  "=cmd|'/C calc'!A0",
  '%00%s%n',
  '../../../../etc/passwd',
  '\u202e\u0000',
  '\ud800',
  '😀𠮷'.repeat(50),
  'x'.repeat(100_000),
  '',
  ' ',
  null,
  true,
  -1,
  0,
  1e308,
  9007199254740992,
  '99999999999999999999',
  '-0',
  'NaN',
  'Infinity',
  '1e5',
  '0x10',
  '１２',
  '0000-00-00',
  '9999-99-99',
  '2026-02-30 25:61:61',
  '\\',
  '%',
  '_',
  [],
  [[]],
  {},
  { $ne: null },
  { toString: 1 },
  ['a', { b: 1 }],
  [null],
  Array.from({ length: 30 }, (_, i) => i),
  { 0: 'a', length: 1 },
]

/** Parsed, as a literal would set the prototype. */
const prototypeKeys: Data = JSON.parse(
  '{"__proto__":{"owner":true},"constructor":{"prototype":{"x":1}},"hasOwnProperty":1,"toString":"x","valueOf":null}',
)

const nested = (depth: number): unknown => (depth ? { a: nested(depth - 1) } : 1)

export interface HostileRequest {
  readonly title: string
  /**
   * What is wrong with it, by a name that all calls share: of a request that makes one field invalid the
   * field's kind and the value. Of what decoding refuses, the server answers alike.
   */
  readonly fault?: string
  readonly body?: unknown
  readonly query?: string
}

type Data = Readonly<Record<string, unknown>>

const isInQuery = (call: Call): boolean => methodOf(call) === 'GET' || methodOf(call) === 'DELETE'

const queryTextOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 3000)

const queryOf = (members: Data): string =>
  Object.entries(members)
    .map(([key, value]) => {
      const isTopLevel = key.startsWith('Data') || key === 'ID' || key === 'Ids'
      const name = (isTopLevel ? key : `data.${key}`).toWellFormed()
      return `${encodeURIComponent(name)}=${encodeURIComponent(queryTextOf(value))}`
    })
    .join('&')

/** A request with these members of `Data`, and others beside it. */
const requestOf = (call: Call, title: string, data: Data, rest: Data = {}): HostileRequest => {
  if (isInQuery(call)) return { title, query: queryOf({ ...data, ...rest }) }
  return { title, body: call.flat ? { ...data, ...rest } : { Data: data, ...rest } }
}

/**
 * Named after what is wrong with the whole of it; without a name where a record is read before decoding, to
 * complete an edit.
 */
const named = (call: Call, request: HostileRequest): HostileRequest => {
  if (isObject(request.body) && editedRecord(call, request.body)) return request
  const shape = `${call.input.form}${call.flat ? ' flat' : ''}`
  return { ...request, fault: `${methodOf(call)} ${shape} ${request.title}` }
}

const malformedQueries = (names: readonly string[]): HostileRequest[] => [
  { title: 'nested query', query: `Data${'[a]'.repeat(9)}=1` },
  { title: 'bad escapes', query: 'data.a=%E0%A4%A&%=%&Data=%7B' },
  { title: 'Data as text', query: 'Data=x' },
  { title: 'the same name twice', query: names.map(n => `data.${n}=1&data.${n}=2`).join('&') },
]

/** Past a limit whatever the call: one object each, looked at once. */
const tooLargeBodies: readonly HostileRequest[] = [
  { title: 'depth 9', body: { Data: nested(8) } },
  { title: '20,001 members', body: { Data: Array(20_001).fill(1) } },
]

const tooManyIds = Array.from({ length: 2001 }, (_, i) => i + 1).join(',')

const malformedBodies = (validInput: Data): HostileRequest[] => [
  ...tooLargeBodies,
  { title: 'Data a text', body: { Data: 'x' } },
  { title: 'Data a number', body: { Data: 7 } },
  { title: 'Data a list', body: { Data: [1, 'a', {}] } },
  { title: 'Data null', body: { Data: null } },
  { title: '2,001 ids', body: { Ids: tooManyIds, Data: validInput } },
]

/** No object that decoding could read. */
const bareBodies: readonly HostileRequest[] = [
  { title: 'a bare list', body: [1, 2] },
  { title: 'a bare text', body: '"x"' },
  { title: 'no body' },
]

/**
 * Requests that must be refused, or be harmless, for any call: JSON bodies, or query strings for GET and
 * DELETE.
 */
export function hostileRequests(
  call: Call,
  validInput: Data,
  random: (below: number) => number,
): HostileRequest[] {
  const fields = Object.entries<Field>(call.input.fields).map(([key, field]) => ({
    name: call.input.form === 'value' ? 'Data' : wireNameOf(key, field, call.input),
    kind: field.kind,
  }))
  const names = fields.map(({ name }) => name)
  const everyField = (valueOf: () => unknown): Data => Object.fromEntries(names.map(n => [n, valueOf()]))
  const foreignSender = { OwnerID: 'abc', OperaterID: { a: 1 }, ProjectCode: ['P'], uuid: { a: [] } }
  return [
    // Every field gets some of them; over all calls of the product each gets all.
    ...fields.flatMap(({ name, kind }) =>
      Array.from({ length: 3 }, () => {
        const at = random(values.length)
        const title = `${name} = ${JSON.stringify(values[at])?.slice(0, 40)}`
        const request = requestOf(call, title, { ...validInput, [name]: values[at] })
        return { ...request, fault: `${methodOf(call)} ${kind} ${at}` }
      }),
    ),
    ...[
      requestOf(
        call,
        'every field an injection',
        everyField(() => values[random(4)]),
      ),
      requestOf(
        call,
        'every field a list',
        everyField(() => [1, 'a']),
      ),
      requestOf(
        call,
        'every field an object',
        everyField(() => ({ a: 1 })),
      ),
      ...(isInQuery(call) ? malformedQueries(names) : malformedBodies(validInput)),
    ].map(request => named(call, request)),
    requestOf(call, 'names of the language', { ...validInput, ...prototypeKeys }),
    requestOf(call, 'foreign envelope', validInput, foreignSender),
    ...(isInQuery(call) ? [] : bareBodies),
  ]
}

/** Whether the work ends in a refusal of the input. Another failure is thrown on. */
const isRefused = (work: () => void): boolean => {
  try {
    work()
    return false
  } catch (error) {
    if (error instanceof Refused) return error.code === resultCode.invalidInput
    throw error
  }
}

/** The limits are the same for all calls: what is beyond them is so for each. */
const beyondLimits: ReadonlySet<unknown> = new Set(
  tooLargeBodies
    .map(({ body }) => body)
    .filter(body => isRefused(() => assertWithinLimits(JSON.parse(JSON.stringify(body))))),
)

/** Whether decoding, which needs neither a server nor a database, refuses it. Another failure is a defect. */
export function isRefusedByDecoding(call: Call, { title, query, body }: HostileRequest): boolean {
  if (beyondLimits.has(body)) return true
  try {
    return isRefused(() => {
      const sent = query === undefined ? JSON.parse(JSON.stringify(body)) : parseQuery(query)
      assertWithinLimits(sent)
      decodeRequest(call, sent)
    })
  } catch (error) {
    throw new Error(`${call.route} ${title}`, { cause: error })
  }
}
