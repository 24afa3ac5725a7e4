import { columnOf, storedKeys, type Entity, type Row } from '#kit/contract/entity.ts'
import { keyOf, codeOf, type Field, type Kind } from '#kit/contract/field.ts'
import { parse, text } from '#kit/domain/decimal.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'

/** How a kind lies in the database: its column type, and the way in and out. */
interface Lie {
  readonly type: (f: Field) => string
  readonly into: (v: any, f: Field) => unknown
  readonly from: (v: any, f: Field) => unknown
}

const same = (type: string): Lie => ({ type: () => type, into: v => v, from: v => v })

/** One row per kind: a new kind does not compile until it can be stored. */
export const lies: Record<Kind, Lie> = {
  id: same('bigint'),
  int: same('integer'),
  text: same('text'),
  file: same('text'),
  flag: same('boolean'),
  day: same('date'),
  month: same('text'),
  moment: same('timestamp with time zone'),
  decimal: { type: f => `numeric(14,${f.scale ?? 4})`, into: v => v, from: v => text(parse(String(v))) },
  money: { type: () => 'numeric(14,2)', into: v => formatYuan(v), from: v => parseYuan(String(v)) },
  ref: { type: f => (f.by === 'key' ? 'text' : 'bigint'), into: v => v, from: v => v },
  choice: {
    type: f => (typeof Object.values(f.choices!.rows)[0]?.[0] === 'string' ? 'text' : 'smallint'),
    into: (v, f) => codeOf(f.choices!, v),
    from: (v, f) => keyOf(f.choices!, v) ?? v,
  },
  choices: {
    type: () => 'text[]',
    into: (v, f) => v.map((k: string) => String(codeOf(f.choices!, k))),
    from: (v, f) => v.map((c: string) => keyOf(f.choices!, c) ?? c),
  },
  list: same('text[]'),
  lines: { type: () => 'jsonb', into: v => JSON.stringify(v), from: v => v },
  part: { type: () => 'jsonb', into: v => JSON.stringify(v), from: v => v },
}

/** `lines` holds its rows' own values as they are in memory; nothing inside is converted. */
export const columnType = (f: Field): string => lies[f.kind].type(f)

export const toStored = (v: unknown, f: Field): unknown =>
  v === undefined || v === null || v === '' ? null : lies[f.kind].into(v, f)

export const fromStored = (v: unknown, f: Field): unknown =>
  v === undefined || v === null ? undefined : lies[f.kind].from(v, f)

/** A row as the driver gives it (camelCase keys) becomes the entity's value; other keys stay. */
export function rowOf<E extends Entity<any>>(e: E, raw: Readonly<Record<string, unknown>>): Row<E> {
  const out: Record<string, unknown> = { ...raw }
  for (const k in raw) {
    const f = e.fields[k] as Field | undefined
    if (f && !simple.has(f.kind)) {
      out[k] = fromStored(raw[k], f)
    }
  }
  return out as Row<E>
}

const simple: ReadonlySet<Kind> = new Set<Kind>([
  'id',
  'int',
  'text',
  'file',
  'flag',
  'day',
  'month',
  'moment',
  'ref',
  'list',
  'lines',
  'part',
])

/** The columns that a write of these keys touches, with their types and how a value goes into each. */
export const writtenColumns = (
  e: Entity<any>,
  has: (key: string) => boolean,
): { key: string; column: string; type: string; field: Field }[] =>
  storedKeys(e)
    .filter(k => has(k) && !kept.has(k))
    .map(key => {
      const field = e.fields[key] as Field
      return { key, column: columnOf(key), type: columnType(field), field }
    })

/**
 * Columns and their values as they are written, for the stored keys that the value has or that `all` asks
 * for.
 */
export const columnsOf = (
  e: Entity<any>,
  value: Readonly<Record<string, unknown>>,
): [column: string, value: unknown, type: string][] =>
  writtenColumns(e, k => k in value).map(c => [c.column, toStored(value[c.key], c.field), c.type])

const kept = new Set(['id', 'version', 'createTime', 'updateTime'])
