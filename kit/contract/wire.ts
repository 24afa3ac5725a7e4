/**
 * The wire of the specification (0§7), whole, and nothing else in the house knows it:
 * envelopes by method, PascalCase names, form-encoded posts, `{ Code, Message, Data }` answers.
 * Decisions: docs/decisions and design notes there; names are read without regard to case, written as specified.
 */
import { methodOf, pathOf, type Call } from './call.ts'
import type { Field, Fields } from './field.ts'
import type { Shape } from './shape.ts'
import { Unreadable, fault, manners, membersOf } from './value.ts'

export const code = { fine: 10000, input: 10001, refused: 10002, forbidden: 10003, absent: 10004, stale: 10005, often: 10006, defect: 10500, roomList: 0 } as const
/** The client also takes these for success (0§8). */
export const isFine = (c: unknown): boolean => ['10000', '200', '304'].includes(String(c))

export interface Envelope { readonly Code: number; readonly Message: string; readonly Data: unknown; readonly Total?: number; readonly Sum?: unknown }
export interface FieldFault { readonly Field: string; readonly Message: string }
/** A refusal is for people and crosses the wire. Any other error is a defect and does not. */
export class Refused extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown = null) { super(message); this.code = code; this.data = data }
}
export const refuse = (message: string): never => { throw new Refused(code.refused, message) }
export const absent = (): Refused => new Refused(code.absent, '数据不存在或已被删除')
export const stale = (): Refused => new Refused(code.stale, '数据已被他人修改，请刷新后重试')
/** One wrong member, named as the caller's object names it (`key`, or `key[2].key`). */
export const wrong = (faults: readonly FieldFault[]): Refused => new Refused(code.input, faults[0]?.Message ?? '输入有误', faults)

export const limits = { bytes: 10 * 1024 * 1024, depth: 8, members: 20_000, ids: 2000 } as const

/** Who asks and from where: the part of every request that no call declares. */
export interface Sender { readonly ownerId?: number; readonly operatorId?: number; readonly projectCode?: string | number; readonly uuid?: string }
export interface Request { readonly method: string; readonly path: string; readonly query: string; readonly body: string | undefined }

/** `plateNo` → `PlateNo`, `lotId` → `LotID`. A name the rule does not make is written on its field or its shape. */
const pascal = (key: string): string => (key[0]!.toUpperCase() + key.slice(1)).replace(/Id$/, 'ID')
const namesOf = (key: string, f: Field, s?: Pick<Shape, 'spell'>): readonly string[] => {
  const said = s?.spell?.[key] ?? f.wire ?? pascal(key)
  return typeof said === 'string' ? [said] : said
}
/** The name we write first, as a fault names the field. */
export const nameOf = (key: string, f: Field, s?: Pick<Shape, 'spell'>): string => namesOf(key, f, s)[0]!

// ---------------------------------------------------------------- going out

const has = (v: unknown): boolean => v !== undefined && v !== null
function written(v: Readonly<Record<string, unknown>>, fields: Fields, s?: Pick<Shape, 'spell'>, bare = false): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const key in fields) {
    const f = fields[key]!, x = v[key]
    const said = !has(x) ? null : f.kind === 'lines' ? (x as readonly Record<string, unknown>[]).map(r => written(r, membersOf(f), undefined, bare)) : f.kind === 'part' ? written(x as Record<string, unknown>, membersOf(f), undefined, bare) : manners[f.kind].toWire(x, f)
    if (bare && said === null) continue
    for (const name of namesOf(key, f, s)) { out[name] = said; if (bare) break }
  }
  return out
}

/** An answer as it travels: lists are arrays, pages carry `Total` (and `Sum`), nothing is `null`. */
export function seal<O>(c: Call<any, O>, v: O): Envelope {
  const fine = (Data: unknown, more: object = {}): Envelope => ({ Code: code.fine, Message: '', Data, ...more })
  const s = c.output, row = (r: unknown): unknown => written(r as Record<string, unknown>, s.fields, s)
  if (s.form === 'none' || s.form === 'blob' || !has(v)) return fine(null)
  if (s.form === 'value') return fine(manners[s.fields.data!.kind].toWire(v, s.fields.data!))
  if (s.form === 'one') return fine(row(v))
  if (s.form === 'many') return fine((v as readonly unknown[]).map(row))
  const page = v as { total: number; rows: readonly unknown[]; sum?: Record<string, unknown> }
  return fine(page.rows.map(row), { Total: page.total, ...(page.sum ? { Sum: written(page.sum, only(s.fields, s.sums ?? []), s) } : {}) })
}
const only = (fields: Fields, keys: readonly string[]): Fields => Object.fromEntries(keys.flatMap(k => (fields[k] ? [[k, fields[k]]] : [])))
export const refusal = (e: Refused): Envelope => ({ Code: e.code, Message: e.message, Data: e.data ?? null })

const pairs = (v: unknown, name: string): [string, string][] =>
  Array.isArray(v) ? v.flatMap((x, i) => pairs(x, typeof x === 'object' ? `${name}[${i}]` : `${name}[]`))
    : v !== null && typeof v === 'object' ? Object.entries(v).flatMap(([k, x]) => pairs(x, name ? `${name}[${k}]` : k))
      : has(v) ? [[name, String(v)]] : []
const encoded = (v: object): string => new URLSearchParams(pairs(v, '')).toString()

/** The client's half: the envelope of 0§7 by method. A project code of 0 is dropped. */
export function encodeRequest<I>(c: Call<I, any>, input: I, who: Sender): Request {
  const method = methodOf(c), path = pathOf(c)
  const lone = c.input.form === 'value'
  const data = (c.input.form === 'none' ? {} : written((lone ? { data: input } : input ?? {}) as Record<string, unknown>, c.input.fields, c.input, true)) as Record<string, unknown>
  const { ID, PageIndex, PageSize, Ids, ...rest } = data
  const project = who.projectCode === 0 || who.projectCode === '0' ? undefined : who.projectCode
  const base = { OwnerID: who.ownerId, OperaterID: who.operatorId, ProjectCode: rest.ProjectCode ?? project }
  if (method === 'GET') {
    const prefixed = Object.fromEntries(Object.entries(rest).filter(([k]) => k !== 'ProjectCode').map(([k, v]) => [`data.${k}`, Array.isArray(v) ? v.join(',') : v]))
    return { method, path, query: encoded({ ID, Ids, PageIndex, PageSize, ...base, uuid: who.uuid, ...(lone ? { Data: data.Data } : prefixed) }), body: undefined }
  }
  if (method === 'DELETE') return { method, path, query: encoded({ ID, Ids, ...base, uuid: who.uuid, ...rest }), body: undefined }
  const whole = { ID, Ids, PageIndex, PageSize, ...base, uuid: who.uuid }
  const body = c.flat ? { ...rest, ...whole } : { ...whole, Data: lone ? data.Data : data }
  return { method, path, query: '', body: method === 'PUT' ? JSON.stringify(body) : encoded(body) }
}

// ---------------------------------------------------------------- coming in

type Loose = Readonly<Record<string, unknown>>
const isObject = (v: unknown): v is Loose => v !== null && typeof v === 'object' && !Array.isArray(v)
const lowered = (v: Loose): Map<string, unknown> => new Map(Object.entries(v).map(([k, x]) => [k.toLowerCase(), x]))
const envelopeNames = ['id', 'ids', 'pageindex', 'pagesize', 'projectcode', 'keyword']

/** Too deep, too wide, too many: refused before anything reads it. */
export function withinLimits(v: unknown): void {
  let members = 0
  const walk = (x: unknown, depth: number): void => {
    if (x === null || typeof x !== 'object') return
    if (depth > limits.depth) throw new Refused(code.input, `数据嵌套不能超过 ${limits.depth} 层`)
    for (const y of Array.isArray(x) ? x : Object.values(x)) {
      if (++members > limits.members) throw new Refused(code.input, `一次提交的数据项不能超过 ${limits.members} 个`)
      walk(y, depth + 1)
    }
  }
  walk(v, 1)
}

export interface Incoming<I> { readonly input: I; readonly sender: Required<Pick<Sender, 'projectCode' | 'uuid'>> & Pick<Sender, 'ownerId' | 'operatorId'> }

/** Members of GET come as `data.X`, or without the prefix; of the others in `Data`, or at the top (the new style). */
function membersOfRequest(c: Call, raw: Loose): { top: Map<string, unknown>; inner: Map<string, unknown> } {
  const top = new Map<string, unknown>(), prefixed = new Map<string, unknown>()
  for (const [k, v] of Object.entries(raw)) /^data\./i.test(k) ? prefixed.set(k.slice(5).toLowerCase(), v) : top.set(k.toLowerCase(), v)
  let data = top.get('data')
  if (typeof data === 'string' && /^\s*[{[]/.test(data)) try { data = JSON.parse(data) } catch { /* a text that merely looks like JSON */ }
  if (isObject(data)) { for (const [k, v] of lowered(data)) prefixed.set(k, v); return { top, inner: prefixed } }
  const [lone] = Object.entries(c.input.fields).filter(([k]) => !['page', 'size', 'keyword', 'order', 'projectCode'].includes(k))
  if (data !== undefined && data !== '' && lone) { prefixed.set(nameOf(lone[0], lone[1], c.input).toLowerCase(), data); return { top, inner: prefixed } }
  return { top, inner: prefixed.size ? prefixed : top }
}

const said = (names: readonly string[], inner: Map<string, unknown>, top?: Map<string, unknown>): unknown => {
  for (const n of names) { const x = inner.get(n.toLowerCase()); if (x !== undefined && x !== '' && x !== null) return x }
  if (top) for (const n of names) if (envelopeNames.includes(n.toLowerCase())) { const x = top.get(n.toLowerCase()); if (x !== undefined && x !== '' && x !== null) return x }
  return undefined
}

function readMembers(fields: Fields, s: Pick<Shape, 'spell'> | undefined, inner: Map<string, unknown>, top: Map<string, unknown> | undefined, at: string, faults: FieldFault[]): Loose {
  const value: Record<string, unknown> = {}
  for (const key in fields) {
    const f = fields[key]!, names = namesOf(key, f, s), raw = said(names, inner, top), Field = at + names[0]!
    let v: unknown
    try { v = raw === undefined ? undefined : manners[f.kind].fromWire(raw, f) }
    catch (e) { if (!(e instanceof Unreadable)) throw e; faults.push({ Field, Message: `${f.label}${e.message}` }); continue }
    if (f.kind === 'text' && v === '') v = undefined
    if (v === undefined && f.initial !== undefined) v = f.initial
    const wrongText = fault(f, v)
    if (wrongText) { faults.push({ Field, Message: wrongText }); continue }
    if (v === undefined) continue
    value[key] = f.kind === 'lines'
      ? (v as unknown[]).map((r, i) => readMembers(membersOf(f), undefined, lowered(isObject(r) ? r : {}), undefined, `${Field}[${i}].`, faults))
      : f.kind === 'part' ? readMembers(membersOf(f), undefined, lowered(v as Loose), undefined, `${Field}.`, faults) : v
  }
  return value
}

/** Reads and checks in one pass, so that a handler never sees an input that breaks its declaration. Refuses with all faults at once. */
export function decodeRequest<I>(c: Call<I, any>, raw: Loose): Incoming<I> {
  const { top, inner } = membersOfRequest(c, raw), faults: FieldFault[] = []
  const input = c.input.form === 'none' ? undefined : readMembers(c.input.fields, c.input, inner, top, '', faults)
  if (faults.length) throw wrong(faults)
  const number = (n: string): number | undefined => { const x = top.get(n); return x === undefined || x === '' || x === null ? undefined : Number(x) }
  const project = top.get('projectcode'), uuid = top.get('uuid')
  return {
    input: (c.input.form === 'value' ? (input as Loose).data : input) as I,
    sender: {
      ownerId: number('ownerid'), operatorId: number('operaterid'), uuid: typeof uuid === 'string' ? uuid.slice(0, 64) : '',
      projectCode: typeof project === 'string' || typeof project === 'number' ? (String(project) === '0' ? '' : String(project)) : '',
    },
  }
}

/** The client's half of an answer. Throws `Refused` where the server refused. */
export function open<O>(c: Call<any, O>, e: Envelope): O {
  if (!isFine(e.Code)) throw new Refused(Number(e.Code), e.Message, e.Data)
  const s = c.output, row = (r: unknown): Loose => readBack(s.fields, s, lowered(isObject(r) ? r : {}))
  if (s.form === 'none' || s.form === 'blob') return undefined as O
  if (s.form === 'value') return (e.Data === null ? undefined : manners[s.fields.data!.kind].fromWire(e.Data, s.fields.data!)) as O
  if (s.form === 'one') return (e.Data === null ? undefined : row(e.Data)) as O
  const rows = Array.isArray(e.Data) ? e.Data.map(row) : []
  return (s.form === 'many' ? rows : { total: Number(e.Total ?? rows.length), rows, ...(isObject(e.Sum) ? { sum: readBack(only(s.fields, s.sums ?? []), s, lowered(e.Sum)) } : {}) }) as O
}
function readBack(fields: Fields, s: Pick<Shape, 'spell'> | undefined, inner: Map<string, unknown>): Loose {
  const value: Record<string, unknown> = {}
  for (const key in fields) {
    const f = fields[key]!, raw = said(namesOf(key, f, s), inner)
    if (raw === undefined) continue
    value[key] = f.kind === 'lines' ? (raw as unknown[]).map(r => readBack(membersOf(f), undefined, lowered(isObject(r) ? r : {}))) : f.kind === 'part' ? readBack(membersOf(f), undefined, lowered(isObject(raw) ? raw : {})) : manners[f.kind].fromWire(raw, f)
  }
  return value
}
