import { isObject } from '#kit/contract/wire/members.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { allEntities } from '#kit/server/registry.ts'
import { columnOf, type Entity } from '#kit/contract/entity.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { kindBehaviour, nestedFieldsOf } from '#kit/contract/value.ts'
import { wireNameOf, type Envelope } from '#kit/contract/wire.ts'
import { sql, type Database } from '#kit/server/db.ts'

/** A row of each entity, as calls may name it. */
export interface KnownRow {
  readonly id: Id
  readonly key?: string | undefined
}

export type KnownRows = ReadonlyMap<string, KnownRow>

/** The first row of every entity that belongs to a company and, where it has one, a project. */
export async function readKnownRows(
  database: Database,
  ownerId: Id,
  project: string | undefined,
): Promise<KnownRows> {
  const rows = new Map<string, KnownRow>()
  for (const e of allEntities()) {
    if (e.tenancy === 'platform') continue
    const key = e.key ? columnOf(e.key) : 'id'
    const row = await database.reader('*').one<{
      id: Id
      key: unknown
    }>(sql`
      select id, ${sql.ref(key)} as key
      from ${sql.table(e.table)}
      where owner_id = ${ownerId}
        and delete_tag = 0 ${project && e.tenancy === 'project' ? sql`and project_code = ${project}` : sql``}
      order by id
      limit 1
    `)
    if (row) {
      rows.set(e.name, { id: row.id, key: e.key ? String(row.key) : undefined })
    }
  }
  return rows
}

const findEntity = (c: Call): Entity | undefined => {
  const entities = new Map(allEntities().map(entity => [entity.name, entity]))
  const names = [c.input.entity, c.output.entity, ...(c.affects ?? [])]
  return names.map(name => entities.get(name ?? '')).find(entity => entity !== undefined)
}

const entityByCall = new Map<Call, Entity | undefined>()

/** The entity that the ids of a call are of, as far as its declaration tells. */
export function entityOf(c: Call): Entity | undefined {
  if (!entityByCall.has(c)) {
    entityByCall.set(c, findEntity(c))
  }
  return entityByCall.get(c)
}

/** Whether the call takes the id of a record of that entity. */
export const hasRecordId = (c: Call): boolean =>
  Object.entries<Field>(c.input.fields).some(
    ([k, f]) =>
      (k === 'id' || k === 'ids') &&
      c.input.form === 'one' &&
      (f.required || c.input.entity === undefined || /^(PUT|DELETE)/.test(c.route)),
  )

const ruleExamples: Readonly<Record<string, string>> = {
  mobile: '13800138000',
  phone: '13800138000',
  landline: '0755-12345678',
  idCard: '11010519491231002X',
  bankAccount: '6222021234567890123'.slice(0, 15),
  email: 'name@example.com',
  url: 'https://example.com',
  ip: '10.0.0.1',
  plate: '粤B12345',
  zoneCode: '440305001001',
  password: 'Anju2027x',
  description: '这是一段至少有二十个字的描述文字，用于填满它。',
  chineseName: '样例',
  lettersDigits: 'EX20261121',
  number: '1',
  integer: '1',
}

const fitLength = (output: string, f: Field): string => {
  const all = [...output.padEnd(f.min ?? 0, '1')]
  return all.slice(0, f.max ?? all.length).join('')
}

const exampleReference = ({ target, targetBy }: Field, rows: KnownRows): string => {
  const row = rows.get(target ?? '')
  return targetBy === 'id' ? String(row?.id ?? 1) : (row?.key ?? '1')
}

/** A value that a field takes: of its kind, within its bounds, naming what exists. */
export function exampleValue(
  key: string,
  f: Field,
  context: { rows: KnownRows; project: string; of?: Entity | undefined },
  depth = 0,
): unknown {
  if (f.dataDomain === 'project' && f.kind === 'text') return context.project
  const n = Math.max(f.min ?? 1, Math.min(1, f.max ?? 1))
  if (key === 'id' && context.of) return context.rows.get(context.of.name)?.id ?? 1
  switch (f.kind) {
    case 'id':
    case 'int':
      return n
    case 'text':
      return f.rule && ruleExamples[f.rule.name] !== undefined
        ? ruleExamples[f.rule.name]
        : fitLength('样例', f)
    case 'file':
      return '0'.repeat(40)
    case 'decimal':
      return String(n)
    case 'money':
      return n
    case 'day':
      return '2026-11-21'
    case 'moment':
      return '2026-11-21 09:00:00'
    case 'month':
      return '2026-11'
    case 'flag':
      return true
    case 'choice':
      return f.initial ?? Object.keys(defined(f.choices).rows)[0]
    case 'choices':
      return [Object.keys(defined(f.choices).rows)[0]]
    case 'ref': {
      const to = context.rows.get(f.target ?? '')
      return f.targetBy === 'key' ? (to?.key ?? 'X1') : (to?.id ?? 1)
    }
    case 'list':
      return [
        key === 'ids' && context.of
          ? String(context.rows.get(context.of.name)?.id ?? 1)
          : f.target
            ? exampleReference(f, context.rows)
            : '1',
      ]
    case 'lines':
      return depth > 2 ? [] : [exampleFields(nestedFieldsOf(f), context, 'all', depth + 1)]
    case 'part':
      return depth > 2 ? undefined : exampleFields(nestedFieldsOf(f), context, 'all', depth + 1)
  }
}

export const exampleFields = (
  fields: Fields,
  context: Parameters<typeof exampleValue>[2],
  which: 'all' | 'needed',
  depth = 0,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Field>(fields)
      .filter(([, f]) => (which === 'all' || f.required) && !f.derived)
      .map(([k, f]) => [k, exampleValue(k, f, context, depth)]),
  )

export const exampleInput = (
  c: Call,
  context: Parameters<typeof exampleValue>[2],
  which: 'all' | 'needed',
): unknown =>
  c.input.form === 'none'
    ? undefined
    : c.input.form === 'value'
      ? exampleValue('data', defined(c.input.fields.data), context)
      : exampleFields(c.input.fields, context, which)

function findRowFaults(
  row: unknown,
  fields: Fields,
  s: Call['output'] | undefined,
  path: string,
  depth = 0,
): string[] {
  if (!isObject(row)) return [`${path} is no object`]
  if (depth > 4) return []
  return Object.entries<Field>(fields).flatMap(([k, f]) => {
    const name = wireNameOf(k, f, s)
    const v = row[name]
    if (v === undefined) return [`${path}.${name} is missing`]
    if (v === null) return f.required ? [`${path}.${name} is null`] : []
    if (f.kind === 'lines')
      return Array.isArray(v)
        ? v
            .slice(0, 3)
            .flatMap((r, i) =>
              findRowFaults(r, nestedFieldsOf(f), undefined, `${path}.${name}[${i}]`, depth + 1),
            )
        : [`${path}.${name} is no list`]
    if (f.kind === 'part') return findRowFaults(v, nestedFieldsOf(f), undefined, `${path}.${name}`, depth + 1)
    if (f.kind === 'text' && typeof v !== 'string') return [`${path}.${name} is ${typeof v}`]
    try {
      kindBehaviour[f.kind].fromWire(v === '' && f.kind !== 'text' ? undefined : v, f)
    } catch {
      return v === '' ? [] : [`${path}.${name} is not of kind ${f.kind}: ${JSON.stringify(v)}`]
    }
    return []
  })
}

/** Where an answer is not what its call declares. */
export function findAnswerFaults(c: Call, e: Envelope): string[] {
  const output = c.output
  const d = e.Data
  const route = c.route
  if (output.form === 'none') return d === null ? [] : [`${route}: Data is not null`]
  if (output.form === 'value')
    return d === null
      ? defined(output.fields.data).required
        ? [`${route}: Data is null`]
        : []
      : findRowFaults(
          { Data: d },
          { data: { ...defined(output.fields.data), wire: 'Data' } },
          undefined,
          route,
        )
  if (output.form === 'one') return d === null ? [] : findRowFaults(d, output.fields, output, route)
  if (!Array.isArray(d)) return [`${route}: Data is no list`]
  return [
    ...(output.form === 'page' && typeof e.Total !== 'number' ? [`${route}: no Total`] : []),
    ...d.slice(0, 3).flatMap((r, i) => findRowFaults(r, output.fields, output, `${route}[${i}]`)),
  ]
}
