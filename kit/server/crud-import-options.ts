import type { CrudImport } from '#kit/contract/crud-sheet.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db, RawBuilder, Tx } from './db.ts'
import type { ImportTexts } from './crud-import-write.ts'
import type { ImportRequest, LineResult, MissingRecords, ReadyLine } from './import-definition.ts'
import type { SearchTextFields } from './search-column.ts'

/** One thing that is wrong with a line: the key of its column, what, and what to do. */
export interface LineFault {
  readonly column: string
  readonly message: string
  readonly remedy: string
}

/** A field, or several that name a record together. */
export type MatchKey<K extends string = string> = K | readonly K[]

/** What rules and writing know of one file; `data` is what `load` and `prepare` gathered. */
export interface ImportFile<T, R, D> {
  readonly request: ImportRequest<any>
  readonly lines: readonly SheetLine<T>[]
  readonly data: D
  /** The lines are about to be written, in this transaction: what they depend on is to be locked. */
  readonly isWriting: boolean
  /** The record that has this value in a field of `match` or `unique`; of several fields, their values. */
  readonly existingBy: (key: MatchKey, value: unknown) => R | undefined
  /** The first line of the sheet that has this value in a column, or these in the fields of a match. */
  readonly firstLineBy: (key: MatchKey, value: unknown) => SheetLine<T> | undefined
}

/** A line with the record that it is about: the new one, or the one that was there. */
export interface WrittenLine<T, E> {
  readonly id: Id
  readonly values: Readonly<Record<string, unknown>>
  readonly lines: readonly ReadyLine<T, E>[]
  readonly existing: E | undefined
  /** The import wrote it: it is new, or it was overwritten with something else. */
  readonly changed: boolean
}

type ImportInput<X> = { readonly scope: ImportRequest<X>['scope']; readonly extraInput: X }

/**
 * What an import adds to the plain one: `T` is a line, `X` what is asked beside the file, `C` what `load`
 * gathers, `P` what `prepare` adds to it, `E` the record that a line is about.
 */
export interface ImporterOptions<F extends Fields, T, X extends Fields, C, P = unknown, E = ValueOf<F>> {
  readonly calls: CrudImport<T, X>
  /** Names its task and its files; by default the menu of its permission. */
  readonly kind?: string
  readonly hiddenInTemplate?: readonly string[]
  /** What lines may name though it does not exist, and how it is added. */
  readonly missing?: MissingRecords<T, ValueOf<X>>
  /** Live drop-down lists of the template, by column (IMP-7). */
  readonly templateOptions?: (
    db: Db,
    request: ImportInput<ValueOf<X>>,
  ) => Promise<Readonly<Record<string, readonly string[]>>>
  /** What references and rules need to know; with `lock` inside the writing transaction. */
  readonly load?: (
    db: Db,
    request: ImportRequest<ValueOf<X>>,
    lock: boolean,
    lines: readonly SheetLine<T>[],
  ) => Promise<C>
  /** What the name in a reference's cell may mean, by column. */
  readonly references?: { readonly [column: string]: (name: string, data: C) => readonly unknown[] }
  /** A line with the names that the records use (`1单元` is unit `1`), before it is compared with others. */
  readonly normalizeRow?: (row: Partial<T>, data: C) => Partial<T>
  /** Fields by which a line is about a record that is there; the first that finds one counts. */
  readonly match?: readonly MatchKey<keyof F & string>[]
  /** Other records that the rules of a line ask about, by values of `match`: those it refers to. */
  readonly alsoFind?: (row: Partial<T>) => readonly object[]
  /**
   * Other unique fields: rules ask who has them (`existingBy`). A line with an immutable one that is another
   * record's, or not that of its own, is refused.
   */
  readonly unique?: readonly (keyof F & string)[]
  /** Records that count as existing, where not every live one does, by field. */
  readonly matchWhere?: { readonly [K in keyof F]?: RawBuilder<any> }
  /** Locks the records that are there against changes while the import writes. */
  readonly lockExisting?: boolean
  /** After the lines are read and their records found: what rules ask of other tables, in few queries. */
  readonly prepare?: (db: Db, file: ImportFile<T, ValueOf<F>, C>) => Promise<P | void>
  /** The record that a line is about, where no fields of `match` name it. */
  readonly find?: (row: Partial<T>, file: ImportFile<T, ValueOf<F>, C & P>) => E | undefined
  /** What the check says of a line whose record is there; a general text unless given. */
  readonly describeExisting?: (existing: E) => { readonly message: string; readonly remedy: string }
  readonly rules?: (
    row: Partial<T>,
    existing: E | undefined,
    file: ImportFile<T, ValueOf<F>, C & P>,
  ) => readonly LineFault[]
  /** What should be looked at in a line, though it can be imported. */
  readonly warnings?: (row: Partial<T>, file: ImportFile<T, ValueOf<F>, C & P>) => readonly LineFault[]
  /** What to do about a line that repeats an earlier one; a general text where this has none. */
  readonly repeatRemedy?: (row: Partial<T>) => string | undefined
  /** Lines that the chosen mode leaves out; by default those of records that are there, in mode `skip`. */
  readonly isSkipped?: (line: ReadyLine<T, E>, file: ImportFile<T, ValueOf<F>, C & P>) => boolean
  /** What is stored of a line; by default its fields of the entity. */
  readonly values?: (row: T, file: ImportFile<T, ValueOf<F>, C & P>, existing: E | undefined) => object
  /** What a new record begins with; by default the start values of the entity. */
  readonly start?: object
  /** Lines that are one record together; by default each line is its own record. */
  readonly groupBy?: (row: T) => string
  /** Fields in whose order records are added where others add the same ones: they wait without a deadlock. */
  readonly insertOrder?: readonly (keyof F & string)[]
  readonly afterWrite?: (
    tx: Tx,
    written: {
      readonly added: readonly WrittenLine<T, E>[]
      readonly existing: readonly WrittenLine<T, E>[]
    },
    file: ImportFile<T, ValueOf<F>, C & P>,
    results: Map<number, LineResult>,
  ) => Promise<unknown>
  /** Writes the lines, where they are no plain records of the entity. Returns the result of each. */
  readonly write?: (
    tx: Tx,
    ready: readonly ReadyLine<T, E>[],
    file: ImportFile<T, ValueOf<F>, C & P>,
  ) => Promise<ReadonlyMap<number, LineResult>>
  readonly texts?: Partial<ImportTexts>
  readonly codes?: { readonly [key: string]: string | undefined }
  readonly searchText?: SearchTextFields<F>
}
