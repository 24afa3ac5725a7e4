/**
 * The wire of the specification (0§7), whole, and nothing else in the house knows it: envelopes by method,
 * PascalCase names, form-encoded posts, `{ Code, Message, Data }` answers. Decisions: docs/decisions and
 * design notes there; names are read without regard to case, written as specified.
 */
import { methodOf, pathOf, type Call } from './call.ts'
import type { Field, Fields } from './field.ts'
import type { Shape } from './shape.ts'
import { UnreadableValue, validateValue, kindBehaviour, nestedFieldsOf } from './value.ts'

export const resultCode = {
  ok: 10000,
  invalidInput: 10001,
  refused: 10002,
  forbidden: 10003,
  notFound: 10004,
  stale: 10005,
  rateLimited: 10006,
  internalError: 10500,
  roomList: 0,
} as const

/** The client also takes these for success (0§8). */
export const isSuccess = (c: unknown): boolean => ['10000', '200', '304'].includes(String(c))

export interface Envelope {
  readonly Code: number
  readonly Message: string
  readonly Data: unknown
  readonly Total?: number
  readonly Sum?: unknown
}

export interface FieldFault {
  readonly Field: string
  readonly Message: string
}

/** A refusal is for people and crosses the wire. Any other error is a defect and does not. */
export class Refused extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const refuse = (message: string): never => {
  throw new Refused(resultCode.refused, message)
}

export const notFound = (): Refused => new Refused(resultCode.notFound, '数据不存在或已被删除')
export const staleVersion = (): Refused => new Refused(resultCode.stale, '数据已被他人修改，请刷新后重试')

/** One wrong member, named as the caller's object names it (`key`, or `key[2].key`). */
export const invalidInput = (faults: readonly FieldFault[]): Refused =>
  new Refused(resultCode.invalidInput, faults[0]?.Message ?? '输入有误', faults)

export const requestLimits = { bytes: 10 * 1024 * 1024, depth: 8, members: 20_000, ids: 2000 } as const

/** Who asks and from where: the part of every request that no call declares. */
export interface Sender {
  readonly ownerId?: number | undefined
  readonly operatorId?: number | undefined
  readonly projectCode?: string | number | undefined
  readonly uuid?: string | undefined
}

export interface EncodedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string | undefined
}

/**
 * `plateNo` → `PlateNo`, `lotId` → `LotID`. A name the rule does not make is written on its field or its
 * shape.
 */
const toPascalCase = (key: string): string => (key[0]!.toUpperCase() + key.slice(1)).replace(/Id$/, 'ID')

const wireNamesOf = (key: string, f: Field, s?: Pick<Shape, 'wireNames'>): readonly string[] => {
  const said = s?.wireNames?.[key] ?? f.wire ?? toPascalCase(key)
  return typeof said === 'string' ? [said] : said
}

/** The name we write first, as a fault names the field. */
export const wireNameOf = (key: string, f: Field, s?: Pick<Shape, 'wireNames'>): string =>
  wireNamesOf(key, f, s)[0]!

/** A member as it travels, worked out once per shape: names as written, and in lower case as read. */
interface WireMember {
  readonly key: string
  readonly field: Field
  readonly names: readonly string[]
  readonly lowerNames: readonly string[]
  readonly topLevelNames: readonly string[]
  readonly nested: 'lines' | 'part' | undefined
}

const membersCache = new WeakMap<object, readonly WireMember[]>()

/** A shape's members; a bare set of fields' for nested rows. */
function wireMembersOf(of: Shape | Fields): readonly WireMember[] {
  let plan = membersCache.get(of)
  if (!plan) {
    const s = 'form' in of && typeof of.form === 'string' ? (of as Shape) : undefined
    plan = Object.entries(s ? s.fields : (of as Fields)).map(([key, f]) => {
      const names = wireNamesOf(key, f, s)
      const lower = names.map(n => n.toLowerCase())
      return {
        key,
        field: f,
        names,
        lowerNames: lower,
        topLevelNames: lower.filter(n => envelopeNames.includes(n)),
        nested: f.kind === 'lines' || f.kind === 'part' ? f.kind : undefined,
      }
    })
    membersCache.set(of, plan)
  }
  return plan
}

/** What the envelope itself carries for the input that has none of it. */
const envelopeNames = ['id', 'ids', 'pageindex', 'pagesize', 'projectcode', 'keyword']

// ---------------------------------------------------------------- going out

const isPresent = (v: unknown): boolean => v !== undefined && v !== null
type RawObject = Readonly<Record<string, unknown>>

function encodeMembers(v: RawObject, members: readonly WireMember[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const m of members) {
    const said = encodeValue(v[m.key], m, encodeMembers)
    for (const name of m.names) {
      out[name] = said
    }
  }
  return out
}

/** The client's way: each once, and nothing for nothing. */
function encodeRequestMembers(v: RawObject, members: readonly WireMember[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const m of members) {
    if (isPresent(v[m.key])) {
      out[m.names[0]!] = encodeValue(v[m.key], m, encodeRequestMembers)
    }
  }
  return out
}

const encodeValue = (x: unknown, m: WireMember, row: typeof encodeMembers): unknown => {
  if (!isPresent(x)) return null
  if (!m.nested) return kindBehaviour[m.field.kind].toWire(x, m.field)
  const members = wireMembersOf(nestedFieldsOf(m.field))
  return m.nested === 'part'
    ? row(x as RawObject, members)
    : (x as readonly RawObject[]).map(r => row(r, members))
}

const successEnvelope = (Data: unknown): Envelope => ({ Code: resultCode.ok, Message: '', Data })

/** An answer as it travels: lists are arrays, pages carry `Total` (and `Sum`), nothing is `null`. */
export function encodeResponse<O>({ output: s }: Call<any, O>, v: O): Envelope {
  if (s.form === 'none' || s.form === 'blob' || !isPresent(v)) return successEnvelope(null)
  if (s.form === 'value') return successEnvelope(kindBehaviour[s.fields.data!.kind].toWire(v, s.fields.data!))
  const members = wireMembersOf(s)
  const row = (r: unknown): unknown => encodeMembers(r as RawObject, members)
  if (s.form === 'one') return successEnvelope(row(v))
  if (s.form === 'many') return successEnvelope((v as readonly unknown[]).map(row))
  const page = v as { total: number; rows: readonly unknown[]; sum?: RawObject }
  return {
    ...successEnvelope(page.rows.map(row)),
    Total: page.total,
    ...(page.sum
      ? {
          Sum: encodeMembers(
            page.sum,
            members.filter(m => s.sums?.includes(m.key)),
          ),
        }
      : {}),
  }
}

export const encodeRefusal = (e: Refused): Envelope => ({
  Code: e.code,
  Message: e.message,
  Data: e.data ?? null,
})

const formPairs = (v: unknown, name: string): [string, string][] =>
  Array.isArray(v)
    ? v.flatMap((x, i) => formPairs(x, typeof x === 'object' ? `${name}[${i}]` : `${name}[]`))
    : v !== null && typeof v === 'object'
      ? Object.entries(v).flatMap(([k, x]) => formPairs(x, name ? `${name}[${k}]` : k))
      : isPresent(v)
        ? [[name, String(v)]]
        : []

const encodeForm = (v: object): string => new URLSearchParams(formPairs(v, '')).toString()

/** A query has no nesting: lists by commas, rows as JSON. */
const flattenForQuery = (v: unknown): unknown =>
  !Array.isArray(v) ? v : v.some(x => typeof x === 'object') ? JSON.stringify(v) : v.join(',')

/** The client's half: the envelope of 0§7 by method. A project code of 0 is dropped. */
export function encodeRequest<I>(c: Call<I, any>, input: I, who: Sender): EncodedRequest {
  const method = methodOf(c)
  const path = pathOf(c)
  const s = c.input
  const project = String(who.projectCode ?? '') === '0' ? undefined : who.projectCode
  const sender = { OwnerID: who.ownerId, OperaterID: who.operatorId, ProjectCode: project }
  if (s.form === 'value') {
    const f = s.fields.data!
    const Data = isPresent(input) ? kindBehaviour[f.kind].toWire(input, f) : undefined
    const whole = { ...sender, uuid: who.uuid }
    if (method === 'GET' || method === 'DELETE')
      return { method, path, query: encodeForm({ ...whole, Data: flattenForQuery(Data) }), body: undefined }
    return {
      method,
      path,
      query: '',
      body: method === 'PUT' ? JSON.stringify({ ...whole, Data }) : encodeForm({ ...whole, Data }),
    }
  }
  const data = s.form === 'none' ? {} : encodeRequestMembers((input ?? {}) as RawObject, wireMembersOf(s))
  const { ID, PageIndex, PageSize, Ids, ...rest } = data
  const whole = {
    ID,
    Ids,
    PageIndex,
    PageSize,
    ...sender,
    ProjectCode: rest.ProjectCode ?? project,
    uuid: who.uuid,
  }
  if (method === 'GET') {
    const prefixed = Object.fromEntries(
      Object.entries(rest)
        .filter(([k]) => k !== 'ProjectCode')
        .map(([k, v]) => [`data.${k}`, flattenForQuery(v)]),
    )
    return { method, path, query: encodeForm({ ...whole, ...prefixed }), body: undefined }
  }
  if (method === 'DELETE')
    return {
      method,
      path,
      query: encodeForm({
        ...whole,
        ...Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, flattenForQuery(v)])),
      }),
      body: undefined,
    }
  const body = c.flat ? { ...rest, ...whole } : { ...whole, Data: data }
  return { method, path, query: '', body: method === 'PUT' ? JSON.stringify(body) : encodeForm(body) }
}

// ---------------------------------------------------------------- coming in

const isObject = (v: unknown): v is RawObject => v !== null && typeof v === 'object' && !Array.isArray(v)

/** Of two spellings of one name the first counts: it is the one we write first. */
const lowerCaseKeys = (v: RawObject): Map<string, unknown> => {
  const m = new Map<string, unknown>()
  for (const k in v) {
    const low = k.toLowerCase()
    if (!m.has(low)) {
      m.set(low, v[k])
    }
  }
  return m
}

/** Too deep, too wide, too many: refused before anything reads it. */
export function assertWithinLimits(v: unknown): void {
  let members = 0
  const walk = (x: unknown, depth: number): void => {
    if (typeof x === 'string') {
      if (!x.isWellFormed() || x.includes('\0'))
        throw new Refused(resultCode.invalidInput, '文本中含有无法保存的字符，请删除后重试')
      return
    }
    if (x === null || typeof x !== 'object') return
    if (depth > requestLimits.depth)
      throw new Refused(resultCode.invalidInput, `数据嵌套不能超过 ${requestLimits.depth} 层`)
    for (const k in x) {
      if (++members > requestLimits.members)
        throw new Refused(resultCode.invalidInput, `一次提交的数据项不能超过 ${requestLimits.members} 个`)
      walk((x as RawObject)[k], depth + 1)
    }
  }
  walk(v, 1)
}

export interface DecodedRequest<I> {
  readonly input: I
  readonly sender: {
    readonly ownerId: number | undefined
    readonly operatorId: number | undefined
    readonly projectCode: string
    readonly uuid: string
  }
}

const listQueryKeys = ['page', 'size', 'keyword', 'order', 'projectCode']
type ValuesByName = ReadonlyMap<string, unknown>

/**
 * Where members stand: first inside, then at the top, of which only the envelope's names count once there is
 * an inside.
 */
interface MemberSources {
  readonly top: ValuesByName
  readonly inner: ValuesByName
  readonly allowsTopLevel: boolean
}

/**
 * The input stands in `Data` (an object, or its JSON), or at the top (the new style, and a query); `data.X`
 * in a query wins over a bare `X`. `Data` as a text or a list is the one field that the call declares.
 */
function findRequestMembers(c: Call, raw: RawObject): MemberSources {
  const top = new Map<string, unknown>()
  const prefixed = new Map<string, unknown>()
  for (const k in raw) {
    const name = k.toLowerCase()
    if (name.startsWith('data.')) {
      prefixed.set(name.slice(5), raw[k])
    } else if (!top.has(name)) {
      top.set(name, raw[k])
    }
  }
  let data = top.get('data')
  if (typeof data === 'string' && /^\s*[{[]/.test(data)) {
    try {
      data = JSON.parse(data)
      assertWithinLimits(data)
    } catch (e) {
      if (e instanceof Refused) throw e /* else a text that merely looks like JSON */
    }
  }
  if (isObject(data)) {
    const inner = lowerCaseKeys(data)
    for (const [k, v] of prefixed) {
      inner.set(k, v)
    }
    return { top, inner, allowsTopLevel: false }
  }
  const lone =
    data === undefined || data === ''
      ? undefined
      : wireMembersOf(c.input).find(m => !listQueryKeys.includes(m.key))
  if (lone) {
    for (const n of lone.lowerNames) {
      prefixed.set(n, data)
    }
  }
  return { top, inner: prefixed, allowsTopLevel: true }
}

/** Nothing: absent, null, or a text of spaces. */
const isEmpty = (x: unknown): boolean =>
  x === undefined || x === null || x === '' || (typeof x === 'string' && /^\s/.test(x) && x.trim() === '')

const rawValueOf = (m: WireMember, { inner, top, allowsTopLevel }: MemberSources): unknown => {
  for (const n of m.lowerNames) {
    const x = inner.get(n)
    if (!isEmpty(x)) return x
  }
  for (const n of allowsTopLevel ? m.lowerNames : m.topLevelNames) {
    const x = top.get(n)
    if (!isEmpty(x)) return x
  }
  return undefined
}

const noValues: ValuesByName = new Map()

const nestedSources = (v: unknown): MemberSources => ({
  inner: isObject(v) ? lowerCaseKeys(v) : noValues,
  top: noValues,
  allowsTopLevel: false,
})

function decodeMembers(
  members: readonly WireMember[],
  from: MemberSources,
  at: string,
  faults: FieldFault[],
): RawObject {
  const value: Record<string, unknown> = {}
  for (const m of members) {
    const { key, field } = m
    const raw = rawValueOf(m, from)
    let v: unknown
    try {
      v = raw === undefined ? undefined : kindBehaviour[field.kind].fromWire(raw, field)
    } catch (e) {
      if (!(e instanceof UnreadableValue)) throw e
      faults.push({ Field: at + m.names[0]!, Message: `${field.label}${e.message}` })
      continue
    }
    if (v === '') {
      v = undefined
    }
    if (v === undefined && field.initial !== undefined) {
      v = field.initial
    }
    const wrongText = validateValue(field, v)
    if (wrongText) {
      faults.push({ Field: at + m.names[0]!, Message: wrongText })
      continue
    }
    if (v === undefined) continue
    const of = m.nested && wireMembersOf(nestedFieldsOf(field))
    const name = at + m.names[0]!
    value[key] = !of
      ? v
      : m.nested === 'part'
        ? decodeMembers(of, nestedSources(v), `${name}.`, faults)
        : (v as unknown[]).map((r, i) => decodeMembers(of, nestedSources(r), `${name}[${i}].`, faults))
  }
  return value
}

/**
 * Reads and checks in one pass, so that a handler never sees an input that breaks its declaration. Refuses
 * with all faults at once.
 */
export function decodeRequest<I>(c: Call<I, any>, raw: RawObject): DecodedRequest<I> {
  const from = findRequestMembers(c, raw)
  const { top } = from
  const faults: FieldFault[] = []
  const input = c.input.form === 'none' ? undefined : decodeMembers(wireMembersOf(c.input), from, '', faults)
  if (faults.length) throw invalidInput(faults)
  const number = (n: string): number | undefined => {
    const x = top.get(n)
    return x === undefined || x === '' || x === null ? undefined : Number(x)
  }
  const project = top.get('projectcode')
  const uuid = top.get('uuid')
  return {
    input: (c.input.form === 'value' ? (input as RawObject).data : input) as I,
    sender: {
      ownerId: number('ownerid'),
      operatorId: number('operaterid'),
      uuid: typeof uuid === 'string' ? uuid.slice(0, 64) : '',
      projectCode:
        (typeof project === 'string' || typeof project === 'number') && String(project) !== '0'
          ? String(project).slice(0, 20)
          : '',
    },
  }
}

/** The client's half of an answer. Throws `Refused` where the server refused. */
export function decodeResponse<O>({ output: s }: Call<any, O>, e: Envelope): O {
  if (!isSuccess(e.Code)) throw new Refused(Number(e.Code), e.Message, e.Data)
  if (s.form === 'none' || s.form === 'blob') return undefined as O
  if (s.form === 'value')
    return (
      e.Data === null ? undefined : kindBehaviour[s.fields.data!.kind].fromWire(e.Data, s.fields.data!)
    ) as O
  const members = wireMembersOf(s)
  const row = (r: unknown): RawObject => decodeResponseMembers(members, nestedSources(r))
  if (s.form === 'one') return (e.Data === null ? undefined : row(e.Data)) as O
  const rows = Array.isArray(e.Data) ? e.Data.map(row) : []
  return (
    s.form === 'many'
      ? rows
      : {
          total: Number(e.Total ?? rows.length),
          rows,
          ...(isObject(e.Sum)
            ? {
                sum: decodeResponseMembers(
                  members.filter(m => s.sums?.includes(m.key)),
                  nestedSources(e.Sum),
                ),
              }
            : {}),
        }
  ) as O
}

function decodeResponseMembers(members: readonly WireMember[], from: MemberSources): RawObject {
  const value: Record<string, unknown> = {}
  for (const m of members) {
    const raw = rawValueOf(m, from)
    if (raw === undefined) continue
    const of = m.nested && wireMembersOf(nestedFieldsOf(m.field))
    const row = (r: unknown): RawObject => decodeResponseMembers(of!, nestedSources(r))
    value[m.key] = !of
      ? kindBehaviour[m.field.kind].fromWire(raw, m.field)
      : m.nested === 'part'
        ? row(raw)
        : (raw as unknown[]).map(row)
  }
  return value
}
