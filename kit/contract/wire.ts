/**
 * The wire of the specification (0§7), whole, and nothing else in the house knows it: envelopes by method,
 * PascalCase names, form-encoded posts, `{ Code, Message, Data }` answers. Decisions: docs/decisions and
 * design notes there; names are read without regard to case, written as specified.
 */
import { methodOf, pathOf, type Call } from './call.ts'
import type { Field, Fields } from './field.ts'
import type { Shape } from './shape.ts'
import { Unreadable, fault, manners, membersOf } from './value.ts'

export const code = {
  fine: 10000,
  input: 10001,
  refused: 10002,
  forbidden: 10003,
  absent: 10004,
  stale: 10005,
  often: 10006,
  defect: 10500,
  roomList: 0,
} as const

/** The client also takes these for success (0§8). */
export const isFine = (c: unknown): boolean => ['10000', '200', '304'].includes(String(c))

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
  throw new Refused(code.refused, message)
}

export const absent = (): Refused => new Refused(code.absent, '数据不存在或已被删除')
export const stale = (): Refused => new Refused(code.stale, '数据已被他人修改，请刷新后重试')

/** One wrong member, named as the caller's object names it (`key`, or `key[2].key`). */
export const wrong = (faults: readonly FieldFault[]): Refused =>
  new Refused(code.input, faults[0]?.Message ?? '输入有误', faults)

export const limits = { bytes: 10 * 1024 * 1024, depth: 8, members: 20_000, ids: 2000 } as const

/** Who asks and from where: the part of every request that no call declares. */
export interface Sender {
  readonly ownerId?: number | undefined
  readonly operatorId?: number | undefined
  readonly projectCode?: string | number | undefined
  readonly uuid?: string | undefined
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string | undefined
}

/**
 * `plateNo` → `PlateNo`, `lotId` → `LotID`. A name the rule does not make is written on its field or its
 * shape.
 */
const pascal = (key: string): string => (key[0]!.toUpperCase() + key.slice(1)).replace(/Id$/, 'ID')

const namesOf = (key: string, f: Field, s?: Pick<Shape, 'spell'>): readonly string[] => {
  const said = s?.spell?.[key] ?? f.wire ?? pascal(key)
  return typeof said === 'string' ? [said] : said
}

/** The name we write first, as a fault names the field. */
export const nameOf = (key: string, f: Field, s?: Pick<Shape, 'spell'>): string => namesOf(key, f, s)[0]!

/** A member as it travels, worked out once per shape: names as written, and in lower case as read. */
interface Member {
  readonly key: string
  readonly f: Field
  readonly names: readonly string[]
  readonly lower: readonly string[]
  readonly top: readonly string[]
  readonly nested: 'lines' | 'part' | undefined
}

const plans = new WeakMap<object, readonly Member[]>()

/** A shape's members; a bare set of fields' for nested rows. */
function membersIn(of: Shape | Fields): readonly Member[] {
  let plan = plans.get(of)
  if (!plan) {
    const s = 'form' in of && typeof of.form === 'string' ? (of as Shape) : undefined
    plan = Object.entries(s ? s.fields : (of as Fields)).map(([key, f]) => {
      const names = namesOf(key, f, s)
      const lower = names.map(n => n.toLowerCase())
      return {
        key,
        f,
        names,
        lower,
        top: lower.filter(n => envelopeNames.includes(n)),
        nested: f.kind === 'lines' || f.kind === 'part' ? f.kind : undefined,
      }
    })
    plans.set(of, plan)
  }
  return plan
}

/** What the envelope itself carries for the input that has none of it. */
const envelopeNames = ['id', 'ids', 'pageindex', 'pagesize', 'projectcode', 'keyword']

// ---------------------------------------------------------------- going out

const has = (v: unknown): boolean => v !== undefined && v !== null
type Loose = Readonly<Record<string, unknown>>

function written(v: Loose, members: readonly Member[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const m of members) {
    const said = wireOf(v[m.key], m, written)
    for (const name of m.names) {
      out[name] = said
    }
  }
  return out
}

/** The client's way: each once, and nothing for nothing. */
function writtenBare(v: Loose, members: readonly Member[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const m of members) {
    if (has(v[m.key])) {
      out[m.names[0]!] = wireOf(v[m.key], m, writtenBare)
    }
  }
  return out
}

const wireOf = (x: unknown, m: Member, row: typeof written): unknown => {
  if (!has(x)) return null
  if (!m.nested) return manners[m.f.kind].toWire(x, m.f)
  const members = membersIn(membersOf(m.f))
  return m.nested === 'part' ? row(x as Loose, members) : (x as readonly Loose[]).map(r => row(r, members))
}

const fine = (Data: unknown): Envelope => ({ Code: code.fine, Message: '', Data })

/** An answer as it travels: lists are arrays, pages carry `Total` (and `Sum`), nothing is `null`. */
export function seal<O>({ output: s }: Call<any, O>, v: O): Envelope {
  if (s.form === 'none' || s.form === 'blob' || !has(v)) return fine(null)
  if (s.form === 'value') return fine(manners[s.fields.data!.kind].toWire(v, s.fields.data!))
  const members = membersIn(s)
  const row = (r: unknown): unknown => written(r as Loose, members)
  if (s.form === 'one') return fine(row(v))
  if (s.form === 'many') return fine((v as readonly unknown[]).map(row))
  const page = v as { total: number; rows: readonly unknown[]; sum?: Loose }
  return {
    ...fine(page.rows.map(row)),
    Total: page.total,
    ...(page.sum
      ? {
          Sum: written(
            page.sum,
            members.filter(m => s.sums?.includes(m.key)),
          ),
        }
      : {}),
  }
}

export const refusal = (e: Refused): Envelope => ({ Code: e.code, Message: e.message, Data: e.data ?? null })

const pairs = (v: unknown, name: string): [string, string][] =>
  Array.isArray(v)
    ? v.flatMap((x, i) => pairs(x, typeof x === 'object' ? `${name}[${i}]` : `${name}[]`))
    : v !== null && typeof v === 'object'
      ? Object.entries(v).flatMap(([k, x]) => pairs(x, name ? `${name}[${k}]` : k))
      : has(v)
        ? [[name, String(v)]]
        : []

const encoded = (v: object): string => new URLSearchParams(pairs(v, '')).toString()

/** A query has no nesting: lists by commas, rows as JSON. */
const flat = (v: unknown): unknown =>
  !Array.isArray(v) ? v : v.some(x => typeof x === 'object') ? JSON.stringify(v) : v.join(',')

/** The client's half: the envelope of 0§7 by method. A project code of 0 is dropped. */
export function encodeRequest<I>(c: Call<I, any>, input: I, who: Sender): Request {
  const method = methodOf(c)
  const path = pathOf(c)
  const s = c.input
  const project = String(who.projectCode ?? '') === '0' ? undefined : who.projectCode
  const sender = { OwnerID: who.ownerId, OperaterID: who.operatorId, ProjectCode: project }
  if (s.form === 'value') {
    const f = s.fields.data!
    const Data = has(input) ? manners[f.kind].toWire(input, f) : undefined
    const whole = { ...sender, uuid: who.uuid }
    if (method === 'GET' || method === 'DELETE')
      return { method, path, query: encoded({ ...whole, Data: flat(Data) }), body: undefined }
    return {
      method,
      path,
      query: '',
      body: method === 'PUT' ? JSON.stringify({ ...whole, Data }) : encoded({ ...whole, Data }),
    }
  }
  const data = s.form === 'none' ? {} : writtenBare((input ?? {}) as Loose, membersIn(s))
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
        .map(([k, v]) => [`data.${k}`, flat(v)]),
    )
    return { method, path, query: encoded({ ...whole, ...prefixed }), body: undefined }
  }
  if (method === 'DELETE')
    return {
      method,
      path,
      query: encoded({ ...whole, ...Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, flat(v)])) }),
      body: undefined,
    }
  const body = c.flat ? { ...rest, ...whole } : { ...whole, Data: data }
  return { method, path, query: '', body: method === 'PUT' ? JSON.stringify(body) : encoded(body) }
}

// ---------------------------------------------------------------- coming in

const isObject = (v: unknown): v is Loose => v !== null && typeof v === 'object' && !Array.isArray(v)

/** Of two spellings of one name the first counts: it is the one we write first. */
const lowered = (v: Loose): Map<string, unknown> => {
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
export function withinLimits(v: unknown): void {
  let members = 0
  const walk = (x: unknown, depth: number): void => {
    if (typeof x === 'string') {
      if (!x.isWellFormed() || x.includes('\0'))
        throw new Refused(code.input, '文本中含有无法保存的字符，请删除后重试')
      return
    }
    if (x === null || typeof x !== 'object') return
    if (depth > limits.depth) throw new Refused(code.input, `数据嵌套不能超过 ${limits.depth} 层`)
    for (const k in x) {
      if (++members > limits.members)
        throw new Refused(code.input, `一次提交的数据项不能超过 ${limits.members} 个`)
      walk((x as Loose)[k], depth + 1)
    }
  }
  walk(v, 1)
}

export interface Incoming<I> {
  readonly input: I
  readonly sender: {
    readonly ownerId: number | undefined
    readonly operatorId: number | undefined
    readonly projectCode: string
    readonly uuid: string
  }
}

const listing = ['page', 'size', 'keyword', 'order', 'projectCode']
type Named = ReadonlyMap<string, unknown>

/**
 * Where members stand: first inside, then at the top, of which only the envelope's names count once there is
 * an inside.
 */
interface Standing {
  readonly top: Named
  readonly inner: Named
  readonly open: boolean
}

/**
 * The input stands in `Data` (an object, or its JSON), or at the top (the new style, and a query); `data.X`
 * in a query wins over a bare `X`. `Data` as a text or a list is the one field that the call declares.
 */
function membersOfRequest(c: Call, raw: Loose): Standing {
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
      withinLimits(data)
    } catch (e) {
      if (e instanceof Refused) throw e /* else a text that merely looks like JSON */
    }
  }
  if (isObject(data)) {
    const inner = lowered(data)
    for (const [k, v] of prefixed) {
      inner.set(k, v)
    }
    return { top, inner, open: false }
  }
  const lone =
    data === undefined || data === '' ? undefined : membersIn(c.input).find(m => !listing.includes(m.key))
  if (lone) {
    for (const n of lone.lower) {
      prefixed.set(n, data)
    }
  }
  return { top, inner: prefixed, open: true }
}

/** Nothing: absent, null, or a text of spaces. */
const empty = (x: unknown): boolean =>
  x === undefined || x === null || x === '' || (typeof x === 'string' && /^\s/.test(x) && x.trim() === '')

const said = (m: Member, { inner, top, open }: Standing): unknown => {
  for (const n of m.lower) {
    const x = inner.get(n)
    if (!empty(x)) return x
  }
  for (const n of open ? m.lower : m.top) {
    const x = top.get(n)
    if (!empty(x)) return x
  }
  return undefined
}

const nowhere: Named = new Map()

const standingIn = (v: unknown): Standing => ({
  inner: isObject(v) ? lowered(v) : nowhere,
  top: nowhere,
  open: false,
})

function readMembers(members: readonly Member[], from: Standing, at: string, faults: FieldFault[]): Loose {
  const value: Record<string, unknown> = {}
  for (const m of members) {
    const { key, f } = m
    const raw = said(m, from)
    let v: unknown
    try {
      v = raw === undefined ? undefined : manners[f.kind].fromWire(raw, f)
    } catch (e) {
      if (!(e instanceof Unreadable)) throw e
      faults.push({ Field: at + m.names[0]!, Message: `${f.label}${e.message}` })
      continue
    }
    if (v === '') {
      v = undefined
    }
    if (v === undefined && f.initial !== undefined) {
      v = f.initial
    }
    const wrongText = fault(f, v)
    if (wrongText) {
      faults.push({ Field: at + m.names[0]!, Message: wrongText })
      continue
    }
    if (v === undefined) continue
    const of = m.nested && membersIn(membersOf(f))
    const name = at + m.names[0]!
    value[key] = !of
      ? v
      : m.nested === 'part'
        ? readMembers(of, standingIn(v), `${name}.`, faults)
        : (v as unknown[]).map((r, i) => readMembers(of, standingIn(r), `${name}[${i}].`, faults))
  }
  return value
}

/**
 * Reads and checks in one pass, so that a handler never sees an input that breaks its declaration. Refuses
 * with all faults at once.
 */
export function decodeRequest<I>(c: Call<I, any>, raw: Loose): Incoming<I> {
  const from = membersOfRequest(c, raw)
  const { top } = from
  const faults: FieldFault[] = []
  const input = c.input.form === 'none' ? undefined : readMembers(membersIn(c.input), from, '', faults)
  if (faults.length) throw wrong(faults)
  const number = (n: string): number | undefined => {
    const x = top.get(n)
    return x === undefined || x === '' || x === null ? undefined : Number(x)
  }
  const project = top.get('projectcode')
  const uuid = top.get('uuid')
  return {
    input: (c.input.form === 'value' ? (input as Loose).data : input) as I,
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
export function open<O>({ output: s }: Call<any, O>, e: Envelope): O {
  if (!isFine(e.Code)) throw new Refused(Number(e.Code), e.Message, e.Data)
  if (s.form === 'none' || s.form === 'blob') return undefined as O
  if (s.form === 'value')
    return (e.Data === null ? undefined : manners[s.fields.data!.kind].fromWire(e.Data, s.fields.data!)) as O
  const members = membersIn(s)
  const row = (r: unknown): Loose => readBack(members, standingIn(r))
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
                sum: readBack(
                  members.filter(m => s.sums?.includes(m.key)),
                  standingIn(e.Sum),
                ),
              }
            : {}),
        }
  ) as O
}

function readBack(members: readonly Member[], from: Standing): Loose {
  const value: Record<string, unknown> = {}
  for (const m of members) {
    const raw = said(m, from)
    if (raw === undefined) continue
    const of = m.nested && membersIn(membersOf(m.f))
    const row = (r: unknown): Loose => readBack(of!, standingIn(r))
    value[m.key] = !of
      ? manners[m.f.kind].fromWire(raw, m.f)
      : m.nested === 'part'
        ? row(raw)
        : (raw as unknown[]).map(row)
  }
  return value
}
