import { defined } from '#kit/domain/defined.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import { keyOf, codeOf, type Field, type FieldKind, type Fields, type ValueOf } from '#kit/contract/field.ts'
import { parseExact, formatExact } from '#kit/domain/decimal.ts'
import { boundedFen, formatYuan, parseYuan } from '#kit/domain/money.ts'

/** How a kind is stored in the database: its column type, and the way in and out. */
interface KindStorage {
  readonly columnType: (f: Field) => string
  readonly toStored: (v: any, f: Field) => unknown
  readonly fromStored: (v: any, f: Field) => unknown
}

const unconverted = (type: string): KindStorage => ({
  columnType: () => type,
  toStored: v => v,
  fromStored: v => v,
})

/** The largest number of PostgreSQL's `integer`. */
const maxInteger = 2 ** 31 - 1

/** One row per kind: a new kind does not compile until it can be stored. */
export const storageByKind: Record<FieldKind, KindStorage> = {
  id: unconverted('bigint'),
  int: { ...unconverted('integer'), columnType: f => ((f.max ?? 0) > maxInteger ? 'bigint' : 'integer') },
  text: unconverted('text'),
  file: unconverted('text'),
  flag: unconverted('boolean'),
  day: unconverted('date'),
  month: unconverted('text'),
  moment: unconverted('timestamp with time zone'),
  decimal: {
    columnType: f => `numeric(14,${f.scale ?? 4})`,
    toStored: v => v,
    fromStored: v => formatExact(parseExact(String(v))),
  },
  money: {
    columnType: () => 'numeric(14,2)',
    toStored: v => formatYuan(boundedFen(v)),
    fromStored: v => parseYuan(String(v)),
  },
  ref: { columnType: f => (f.targetBy === 'key' ? 'text' : 'bigint'), toStored: v => v, fromStored: v => v },
  choice: {
    columnType: f =>
      typeof Object.values(defined(f.choices).rows)[0]?.[0] === 'string' ? 'text' : 'smallint',
    toStored: (v, f) => codeOf(defined(f.choices), v),
    fromStored: (v, f) => keyOf(defined(f.choices), v) ?? v,
  },
  choices: {
    columnType: () => 'text[]',
    toStored: (v, f) => v.map((k: string) => String(codeOf(defined(f.choices), k))),
    fromStored: (v, f) => v.map((c: string) => keyOf(defined(f.choices), c) ?? c),
  },
  list: unconverted('text[]'),
  lines: { columnType: () => 'jsonb', toStored: v => JSON.stringify(v), fromStored: v => v },
  part: { columnType: () => 'jsonb', toStored: v => JSON.stringify(v), fromStored: v => v },
}

/** `lines` holds its rows' own values as they are in memory; nothing inside is converted. */
export const columnType = (f: Field): string => storageByKind[f.kind].columnType(f)

export const toStored = (v: unknown, f: Field): unknown =>
  v === undefined || v === null || v === '' ? null : storageByKind[f.kind].toStored(v, f)

export const fromStored = (v: unknown, f: Field): unknown =>
  v === undefined || v === null ? undefined : storageByKind[f.kind].fromStored(v, f)

/** A row as the driver gives it (camelCase keys) becomes the value of its fields; other keys stay. */
export function toFieldValues<F extends Fields>(
  fields: F,
  raw: Readonly<Record<string, unknown>>,
): ValueOf<F> {
  const out: Record<string, unknown> = { ...raw }
  for (const key in raw) {
    const field: Field | undefined = fields[key]
    if (field && !unconvertedKinds.has(field.kind)) {
      out[key] = fromStored(raw[key], field)
    }
  }
  // The one place where a stored row gets its type; the schema test holds tables to their entities.
  return out as ValueOf<F>
}

/** A row of an entity's table. */
export const toEntityRow = <F extends Fields>(
  e: Entity<F>,
  raw: Readonly<Record<string, unknown>>,
): ValueOf<F> => toFieldValues(e.fields, raw)

/** A value's members by key: code that goes by an entity's description does not know the value's own type. */
export const valuesByKey = (value: object): Readonly<Record<string, unknown>> =>
  value as Readonly<Record<string, unknown>>

const unconvertedKinds: ReadonlySet<FieldKind> = new Set<FieldKind>([
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

const managedKeys = new Set(['id', 'version', 'createTime', 'updateTime'])

/** The columns that a write of these keys touches, with their types and how a value goes into each. */
export const writtenColumns = (
  entity: Entity,
  hasKey: (key: string) => boolean,
): { key: string; column: string; type: string; field: Field }[] =>
  storedKeys(entity)
    .filter(key => hasKey(key) && !managedKeys.has(key))
    .flatMap(key => {
      const field = entity.fields[key]
      return field ? [{ key, column: columnOf(key), type: columnType(field), field }] : []
    })

/** Columns and their values as they are written, for the stored keys that the value has. */
export const columnValues = (
  entity: Entity,
  value: object,
): [column: string, value: unknown, type: string][] => {
  const values = valuesByKey(value)
  return writtenColumns(entity, key => key in values).map(({ key, column, type, field }) => [
    column,
    toStored(values[key], field),
    type,
  ])
}
