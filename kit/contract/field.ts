import type { Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Month } from '#kit/domain/month.ts'
import type { Choices } from './choice-table.ts'

export type { Day, Decimal, Fen, Id, Moment, Month }
export {
  choiceTable,
  codeOf,
  keyOf,
  keysOf,
  labelOf,
  type ChoiceOf,
  type ChoiceRow,
  type Choices,
  type Tone,
} from './choice-table.ts'

/**
 * A field is one fact about an entity, declared once. Types, validation, columns, form controls, filters,
 * sheets, API pages and the schema test all read it from here.
 */
export interface Field<T = unknown, R extends boolean = boolean, K extends FieldKind = FieldKind> {
  readonly kind: K
  readonly label: string
  readonly required: R
  /**
   * The name on the wire where it is not the key with a capital (`unitNames` → `Unitnames`). Several: the
   * first is the internal one, all are written.
   */
  readonly wire?: string | readonly string[]
  /** Bounds: of a number, of a text's length in characters, of a list's length. Money in fen. */
  readonly min?: number
  readonly max?: number
  /** Digits after the point of a decimal. */
  readonly scale?: number
  readonly rule?: Rule
  readonly choices?: Choices
  /** The entity that a reference points at, and whether by its id or by its natural key. */
  readonly target?: string
  readonly targetBy?: 'id' | 'key'
  /** Members of nested rows; a function where rows hold rows of their own kind. */
  readonly fields?: Fields | (() => Fields)
  /** Reached through a reference: [the reference's key here, the field over there]. Shown, never stored. */
  readonly lookup?: readonly [ref: string, field: string]
  /** Computed by the server, neither stored under this name nor taken from a form. */
  readonly derived?: boolean
  /** Set on creation, immutable afterwards. */
  readonly immutable?: boolean
  readonly initial?: T
  /** The value in a deletion that does not send the field, which the old wire cannot send there (G-10). */
  readonly initialInDelete?: T
  readonly unit?: string
  /** A text with a percentage (`95.23%`): sheets show it as Excel's percentage. */
  readonly percent?: boolean
  readonly help?: string
  /** Other headings that imported sheets may use for it (IMP-5). */
  readonly synonyms?: readonly string[]
  /**
   * Masked for those who may not see people's data in full (PERM-7, EXP-4); a secret is shown to nobody and
   * kept out of every log.
   */
  readonly masked?: 'mobile' | 'idCard' | 'secret'
  /** A text whose digits are ordered by value: `9栋` before `10栋`. For small tables: no index serves it. */
  readonly naturalOrder?: boolean
  /** A number whose 0 is none: in order, rows without one follow. For small tables: no index serves it. */
  readonly zeroIsNone?: boolean
  /** Included in keyword search. */
  readonly searchable?: boolean
  /** For a text or list: holds keys of stored files, as a `file` does. */
  readonly holdsFiles?: boolean
  /** Names the part of the caller's data domain that it must be in (G-13, PERM-6). */
  readonly dataDomain?: 'project' | 'building'
  /** Of a building: a row without one is for all who have any building of the project. */
  readonly sharedWithoutBuilding?: boolean
  /** Places where the field is hidden. */
  readonly hiddenIn?: readonly FieldPlace[]
  /**
   * Of a state: those whose rows are no longer valid. Lists show them struck through and leave them out of
   * every sum.
   */
  readonly struckOut?: readonly string[]
  /** For a figure: it is summed over the rows that are no longer valid, too. */
  readonly countsStruckOut?: boolean
  readonly T?: T
}

export type FieldKind =
  | 'id'
  | 'text'
  | 'int'
  | 'decimal'
  | 'money'
  | 'day'
  | 'moment'
  | 'month'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'ref'
  | 'list'
  | 'lines'
  | 'part'
  | 'file'

export type FieldPlace = 'table' | 'form' | 'filter' | 'sheet' | 'detail'
export type Fields = { readonly [key: string]: Field<any> }

/** A check with a name; it returns a message for the user, or nothing. */
export interface Rule {
  readonly name: string
  readonly test: (value: string) => string | undefined
  /** What a good value looks like: `11位手机号`. */
  readonly hint?: string
  /** A sheet's cell keeps its spaces: a text of words, not a code. */
  readonly keepsSpaces?: boolean
  /** A value as it is kept: what a sheet's cell is made into before it is tested. */
  readonly normalize?: (value: string) => string
}

/** The key under which an uploaded file is kept. */
export type FileKey = string & { readonly unit?: 'file' }

type FieldOptions = Pick<
  Field,
  | 'wire'
  | 'min'
  | 'max'
  | 'scale'
  | 'rule'
  | 'lookup'
  | 'derived'
  | 'immutable'
  | 'unit'
  | 'percent'
  | 'help'
  | 'synonyms'
  | 'masked'
  | 'naturalOrder'
  | 'zeroIsNone'
  | 'searchable'
  | 'holdsFiles'
  | 'countsStruckOut'
  | 'dataDomain'
  | 'sharedWithoutBuilding'
  | 'hiddenIn'
  | 'target'
  | 'targetBy'
>

type TypedFieldOptions<R extends boolean, T> = {
  required?: R
  initial?: T
  initialInDelete?: T
} & Partial<FieldOptions>

const makeField = <T, R extends boolean, K extends FieldKind>(
  kind: K,
  label: string,
  options?: object,
): Field<T, R, K> => ({ kind, label, required: false, ...options }) as unknown as Field<T, R, K>

type FieldFactory<T, K extends FieldKind> = <const R extends boolean = false>(
  label: string,
  options?: TypedFieldOptions<R, T>,
) => Field<T, R, K>

const fieldFactory =
  <T, K extends FieldKind>(kind: K): FieldFactory<T, K> =>
  (label, options) =>
    makeField(kind, label, options)

/** The record's own id: required in output, never shown in a form, a table or a sheet. */
export const id = (label = '编号'): Field<Id, true, 'id'> =>
  makeField('id', label, { required: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] })

export const text = fieldFactory<string, 'text'>('text')
export const int = fieldFactory<number, 'int'>('int')

/** The id of another record, in the input or output of a call. */
export const idOf = fieldFactory<Id, 'int'>('int')

/** Four digits after the point unless `scale` says otherwise (areas, readings, quantities: G-3). */
export const decimal = fieldFactory<Decimal, 'decimal'>('decimal')
export const money = fieldFactory<Fen, 'money'>('money')
export const day = fieldFactory<Day, 'day'>('day')
export const moment = fieldFactory<Moment, 'moment'>('moment')
export const month = fieldFactory<Month, 'month'>('month')
export const flag = fieldFactory<boolean, 'flag'>('flag')
export const file = fieldFactory<FileKey, 'file'>('file')

/** Several texts, ids or file keys (`holdsFiles`); on the wire a comma list. */
export const list = fieldFactory<readonly string[], 'list'>('list')

export const ref = <const R extends boolean = false>(
  label: string,
  to: string,
  options?: TypedFieldOptions<R, Id>,
): Field<Id, R, 'ref'> => makeField('ref', label, { targetBy: 'id', ...options, target: to })

/** A reference by the other's natural key (`Buildcode`). */
export const keyRef = <const R extends boolean = false>(
  label: string,
  to: string,
  options?: TypedFieldOptions<R, string>,
): Field<string, R, 'ref'> => makeField('ref', label, { targetBy: 'key', ...options, target: to })

export const choice = <K extends string, const R extends boolean = false>(
  label: string,
  choices: Choices<K>,
  options?: TypedFieldOptions<R, NoInfer<K>> & { readonly struckOut?: readonly NoInfer<K>[] },
): Field<K, R, 'choice'> => makeField('choice', label, { ...options, choices })

/** A choice that no form sets: a new record has the initial value, and separate actions change it. */
export const systemChoice = <K extends string>(
  label: string,
  choices: Choices<K>,
  initial: NoInfer<K>,
  options?: TypedFieldOptions<true, NoInfer<K>> & { readonly struckOut?: readonly NoInfer<K>[] },
): Field<K, true, 'choice'> =>
  choice(label, choices, {
    ...options,
    required: true,
    initial,
    immutable: true,
    hiddenIn: [...(options?.hiddenIn ?? []), 'form'],
  })

export const choices = <K extends string, const R extends boolean = false>(
  label: string,
  table: Choices<K>,
  options?: TypedFieldOptions<R, readonly NoInfer<K>[]>,
): Field<readonly K[], R, 'choices'> => makeField('choices', label, { ...options, choices: table })

export const lines = <const F extends Fields, const R extends boolean = false>(
  label: string,
  fields: F | (() => F),
  options?: TypedFieldOptions<R, never>,
): Field<readonly ValueOf<F>[], R, 'lines'> => makeField('lines', label, { ...options, fields })

/**
 * Rows that hold rows of their own kind: their type is written out, for it cannot be inferred from itself.
 */
export const nestedLines = <T>(label: string, fields: () => Fields): Field<readonly T[], false, 'lines'> =>
  makeField('lines', label, { fields })

/**
 * One record inside another (`Manager` in the answer to a sign-in); stored as it is in memory, like `lines`.
 */
export const part = <const F extends Fields, const R extends boolean = false>(
  label: string,
  fields: F | (() => F),
  options?: TypedFieldOptions<R, never>,
): Field<ValueOf<F>, R, 'part'> => makeField('part', label, { ...options, fields })

/** A field of a referenced record: `lookup('楼栋', 'buildCode', 'name')`. */
export const lookup = (
  label: string,
  by: string,
  field: string,
  options?: TypedFieldOptions<false, string>,
): Field<string, false, 'text'> =>
  makeField('text', label, {
    ...options,
    lookup: [by, field],
    derived: true,
    hiddenIn: [...(options?.hiddenIn ?? []), 'form', 'filter'],
  })

type FieldValue<X> = X extends Field<infer T> ? T : never
type RequiredKeys<F> = { [K in keyof F]: F[K] extends Field<any, true> ? K : never }[keyof F]

/** The value a set of fields describes: required ones present, the rest optional. */
export type ValueOf<F> = { readonly [K in RequiredKeys<F>]: FieldValue<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: FieldValue<F[K]>
}

/** Whether a row is no longer valid: one of its states says so (`struckOut`). */
export const isStruckOut = (fields: Fields, row: unknown): boolean =>
  typeof row === 'object' &&
  row !== null &&
  Object.entries(row).some(([key, value]) => fields[key]?.struckOut?.includes(value) ?? false)

/** Some of the fields, as they are. */
export const pickFields = <const F extends Fields, const K extends keyof F & string>(
  fields: F,
  keys: readonly K[],
): Pick<F, K> => Object.fromEntries(keys.map(key => [key, fields[key]])) as unknown as Pick<F, K>
