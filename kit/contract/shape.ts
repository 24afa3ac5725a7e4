import type { BulkResult } from './bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { FileResponse } from './file-response.ts'
import { boundLabel, boundNames } from './range-bounds.ts'
import type { Entity } from './entity.ts'
import {
  choices,
  idOf,
  int,
  list,
  text,
  type Field,
  type Fields,
  type FieldKind,
  type Rule,
  type ValueOf,
} from './field.ts'

/** What a call takes or gives: nothing, one object, one bare value, a list, a page of a list, or a file. */
export interface Shape<T = unknown> {
  readonly form: 'none' | 'one' | 'value' | 'many' | 'page' | 'blob'
  readonly fields: Fields
  /** Spelling of this shape alone, where the specification names one fact two ways. */
  readonly wireNames?: { readonly [key: string]: string | readonly string[] }
  /** Totals over the whole filter that a page carries. */
  readonly sums?: readonly string[]
  /** Those of them that rows do not add up to: what a chain of rows opens and closes with. */
  readonly nonAdditive?: readonly string[]
  /** What a form saves of the entity: an edit keeps the fields that it does not send. */
  readonly isDraft?: boolean
  /** For a draft: a company has one such record, which a save without its number means. */
  readonly isOnlyRecord?: boolean
  /** The entity it speaks of, if one. */
  readonly entity?: string
  /** The keyword, the order and these filters are allowed (`search`). */
  readonly filters?: readonly string[]
  readonly T?: T
}

export interface Page<T> {
  readonly total: number
  readonly rows: readonly T[]
  readonly sum?: { readonly [key: string]: number | string }
}

/** A type, not an interface: filters by name may be beside it (`ListQuery & Record<string, unknown>`). */
export type ListQuery = {
  readonly page?: number
  readonly size?: number
  readonly keyword?: string
  readonly order?: string
}

export type WireNames<F> = { readonly [K in keyof F]?: string | readonly string[] }

interface ShapeOptions<F> {
  readonly wireNames?: WireNames<F>
  readonly sums?: readonly (keyof F & string)[]
  /** What it is computed from, where it is no record of it: asked again when that changes. */
  readonly entity?: string
  /** An edit of records of the entity: it keeps the fields that it does not send. */
  readonly isDraft?: boolean
  /** For a draft: a company has one such record, which a save without its number means. */
  readonly isOnlyRecord?: boolean
}

export const noData: Shape<void> = { form: 'none', fields: {} }
export const fileResponse: Shape<FileResponse> = { form: 'blob', fields: {} }

// Only its type says what a shape's value is, so each of these has its own (`Shape<never>` fits all).

export const shape = <const F extends Fields>(fields: F, options: ShapeOptions<F> = {}): Shape<ValueOf<F>> =>
  ({ form: 'one', fields, ...options }) as Shape<never>

export const listOfRows = <const F extends Fields>(
  fields: F,
  options: ShapeOptions<F> = {},
): Shape<readonly ValueOf<F>[]> => ({ form: 'many', fields, ...options }) as Shape<never>

/** One bare value in `Data`: a token, a count, a list of gate numbers. */
export const singleValue = <T, R extends boolean, K extends FieldKind>(
  field: Field<T, R, K>,
): Shape<R extends true ? T : T | undefined> => ({ form: 'value', fields: { data: field } })

export const recordOf = <F extends Fields>(e: Entity<F>, options: ShapeOptions<F> = {}): Shape<ValueOf<F>> =>
  ({ form: 'one', fields: e.fields, entity: e.name, ...options }) as Shape<never>

export const listOf = <F extends Fields>(
  e: Entity<F>,
  options: ShapeOptions<F> = {},
): Shape<readonly ValueOf<F>[]> =>
  ({ form: 'many', fields: e.fields, entity: e.name, ...options }) as Shape<never>

export const pageOf = <F extends Fields>(
  e: Entity<F>,
  options: ShapeOptions<F> = {},
): Shape<Page<ValueOf<F>>> => ({ form: 'page', fields: e.fields, entity: e.name, ...options }) as Shape<never>

export const pageOfRows = <const F extends Fields>(
  fields: F,
  options: ShapeOptions<F> = {},
): Shape<Page<ValueOf<F>>> => ({ form: 'page', fields, ...options }) as Shape<never>

type StampKey = 'id' | 'version' | 'createTime' | 'updateTime'

export type Draft<F, K extends PropertyKey = never> = ValueOf<Omit<F, StampKey | K>> & {
  readonly id?: Id
  readonly version?: number
}

/**
 * What a write says of a record. None is required here: the type does not know which required fields the
 * server derives; the database refuses what is missing.
 */
export type RowValues<F> = Partial<ValueOf<F>>

const makeOptional = (f: Field): Field => ({ ...f, required: false })

/**
 * What a form saves: the entity less what is derived and what only its own calls may change. No id (or 0): a
 * new one (G-2).
 */
export function draftOf<F extends Fields, const K extends keyof F & string = never>(
  entity: Entity<F>,
  without: readonly K[] = [],
  options: ShapeOptions<F> = {},
): Shape<Draft<F, K>> {
  const stored = Object.entries<Field>(entity.fields).filter(
    ([k, f]) => !f.derived && !without.includes(k as K),
  )
  return {
    form: 'one',
    entity: entity.name,
    isDraft: true,
    fields: Object.fromEntries(
      stored.map(([k, f]) => [
        k,
        k === 'id' || k === 'version' ? makeOptional({ ...f, min: 0, initial: undefined }) : f,
      ]),
    ),
    ...options,
  } as Shape<never>
}

type RangeKind = 'day' | 'moment' | 'month' | 'money' | 'int' | 'decimal'

/** What a list is asked: its page, the keyword, the order, and filters by the kind of each field. */
export type SearchInput<F, K extends keyof F & string, X> = ListQuery & {
  readonly projectCode?: string
} & FilterOf<F, K> &
  ValueOf<X>

type FilterOf<F, K extends keyof F & string> = {
  readonly [
    P in K as F[P] extends Field<any, boolean, RangeKind> ? `${P}From` | `${P}To` : P
  ]?: F[P] extends Field<infer T, boolean, infer Kd>
    ? Kd extends 'choice' | 'choices'
      ? readonly T[]
      : Kd extends 'ref'
        ? readonly string[]
        : T
    : never
}

export const rangeKinds: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'day',
  'moment',
  'month',
  'money',
  'int',
  'decimal',
])

export const idRule: Rule = { name: 'ids', test: s => (/^\d{1,15}$/.test(s) ? undefined : '编号应为整数') }

/**
 * The filter fields that one key gives: a range for what is ordered, any-of for choices and references, the
 * field itself otherwise.
 */
function filterFieldsOf(key: string, field: Field): [string, Field][] {
  const plain = {
    ...makeOptional(field),
    min: undefined,
    initial: undefined,
    derived: undefined,
    rule: undefined,
  } as Field
  if (rangeKinds.has(field.kind))
    return [
      [`${key}From`, { ...plain, ...boundNames(field, 'From'), label: boundLabel(field, 'From') }],
      [`${key}To`, { ...plain, ...boundNames(field, 'To'), label: boundLabel(field, 'To') }],
    ]
  const wire = field.wire
  if (field.kind === 'choice' && field.choices)
    return [[key, { ...choices(field.label, field.choices), ...(wire ? { wire } : {}) }]]
  if (field.kind === 'ref')
    return [
      [
        key,
        {
          ...list(field.label, { max: 200, ...(field.targetBy === 'id' ? { rule: idRule } : {}) }),
          ...(wire ? { wire } : {}),
          ...(field.dataDomain ? { dataDomain: field.dataDomain } : {}),
          ...(field.target ? { target: field.target, targetBy: field.targetBy ?? 'id' } : {}),
        },
      ],
    ]
  return [[key, field.kind === 'text' ? ({ ...plain, min: undefined, max: 100 } as Field) : plain]]
}

const listQueryFields = {
  page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
  size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
  keyword: text('关键字', { wire: ['KeyWord', 'Keyword'], max: 100 }),
  order: text('排序', { wire: 'OrderBy', max: 60 }),
}

/**
 * A search: which page, the keyword, the order, and the named fields as filters, all optional.
 * A project's entity may also be narrowed to one project (the envelope's `ProjectCode`).
 */
export function search<F extends Fields, const K extends keyof F & string, const X extends Fields = {}>(
  entity: Entity<F>,
  keys: readonly K[],
  extraFields?: X,
): Shape<SearchInput<F, K, X>> {
  const projectFields: Fields =
    entity.tenancy === 'project' ? { projectCode: makeOptional(defined(entity.fields.projectCode)) } : {}
  const filters = keys.flatMap(k => filterFieldsOf(k, defined(entity.fields[k])))
  return {
    form: 'one',
    entity: entity.name,
    filters: keys,
    fields: { ...listQueryFields, ...projectFields, ...Object.fromEntries(filters), ...extraFields },
  }
}

/** The same shape with some members left out (an estate's list is not narrowed to the chosen estate). */
export const omitFields = <T, const K extends string>(
  whole: Shape<T>,
  keys: readonly K[],
): Shape<Omit<T, K>> => ({
  ...whole,
  fields: Object.fromEntries(Object.entries(whole.fields).filter(([k]) => !keys.includes(k as K))),
})

/** The same shape with more members (a save that also says from which day it holds). */
export const extendShape = <T, const X extends Fields>(s: Shape<T>, extraFields: X): Shape<T & ValueOf<X>> =>
  ({ ...s, fields: { ...s.fields, ...extraFields } }) as Shape<never>

/** Fields of which none is required: rows of several kinds in one list. */
export const partialFields = <const F extends Fields>(
  f: F,
): {
  readonly [K in keyof F]: F[K] extends Field<infer T, boolean, infer Kd> ? Field<T, false, Kd> : never
} => Object.fromEntries(Object.entries<Field>(f).map(([k, x]) => [k, makeOptional(x)])) as never

/** One record by its id. */
export const recordIdField = idOf('编号', { required: true, wire: 'ID', min: 1 })
export const byId = shape({ id: recordIdField })

/** Records by id, 2,000 at most (G-11); `ID` alone is accepted too. */
export const recordIdsField = list('编号', {
  required: true,
  wire: ['Ids', 'ID'],
  max: 2000,
  rule: idRule,
})
export const byIds = shape({ ids: recordIdsField })

/** Where an action needs a reason (G-10). */
export const reasonField = text('原因', {
  required: true,
  min: 2,
  max: 200,
  wire: 'Reason',
  initialInDelete: '接口未提供原因',
})
/** One record that a DELETE is about: old clients state it as `ID` or as `Ids`. */
export const deletedIdField = idOf('编号', { required: true, wire: ['ID', 'Ids'], min: 1 })
export const byIdWithReason = shape({ id: deletedIdField, reason: reasonField })
export const byIdsWithReason = shape({ ids: recordIdsField, reason: reasonField })

/** The result of a bulk call (G-11). */
export const bulkResult = shape({
  success: int('成功', { required: true }),
  fail: int('失败', { required: true }),
  skipped: int('跳过', { required: true }),
  rows: {
    kind: 'lines',
    label: '明细',
    required: true,
    fields: {
      id: idOf('编号', { wire: 'ID' }),
      code: text('编码'),
      reason: text('原因', { required: true }),
    },
  } as Field<BulkResult['rows'], true, 'lines'>,
})
