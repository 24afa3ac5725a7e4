import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { ImportCalls } from '#kit/contract/import-export.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import type { SheetSchema } from '#kit/contract/sheet.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Db, Tx } from './db.ts'
import type { Scope } from './scope.ts'

/** Who imports, into what and in which mode (a key of the mode's choices). */
export interface ImportRequest<X> {
  readonly scope: Scope
  readonly extraInput: X
  readonly mode: string
  readonly today: Day
}

/** A line that can be imported, with the record that already exists for it. */
export interface ReadyLine<T, E> {
  readonly line: number
  readonly row: T
  readonly existing: E | undefined
}

export interface LineResult {
  readonly outcome: 'added' | 'changed' | 'skipped' | 'failed'
  readonly message: string
  /** What else the line did: the result counts it under this name, `登记住户`. */
  readonly alsoDid?: string
}

/** What a module knows about the lines of one file, read in a few queries. */
export interface ImportSession<T, E> {
  /** All records that a reference's name may mean. */
  readonly findReferences: (key: string, name: string, row: Partial<T>) => readonly unknown[]
  /** A line with the names that the records use (`1单元` is unit `1`), before it is compared with others. */
  readonly normalizeRow?: (row: Partial<T>) => Partial<T>
  /** The records that already exist, by line, in one query. */
  readonly findExisting: (lines: readonly SheetLine<T>[]) => Promise<ReadonlyMap<number, E>>
  /** Rules that need more than one cell; `column` is a key of the sheet. Pure. */
  readonly checkRow: (
    row: Partial<T>,
    existing: E | undefined,
  ) => readonly { readonly column: string; readonly message: string; readonly remedy: string }[]
  /** What the preview says of an existing record; a general text unless given. */
  readonly describeExisting?: (existing: E) => { readonly message: string; readonly remedy: string }
  /** What should be looked at in a line, though it can be imported. */
  readonly warnRow?: (
    row: Partial<T>,
  ) => readonly { readonly column: string; readonly message: string; readonly remedy: string }[]
  /** What to do about a line that repeats an earlier one; a general text where this has none. */
  readonly repeatRemedy?: (row: Partial<T>) => string | undefined
  /** Lines that the chosen mode leaves out: the preview does not count them as imported. */
  readonly isSkipped?: (line: ReadyLine<T, E>) => boolean
  /** Writes all lines, in statements over sets. Returns the result of each. */
  readonly apply: (tx: Tx, ready: readonly ReadyLine<T, E>[]) => Promise<ReadonlyMap<number, LineResult>>
}

/** What lines name, does not exist, and can be added before the lines are checked. */
export interface MissingRecord {
  readonly name: string
  /** What is added: `2 个单元，18 层`. */
  readonly note: string
}

export interface MissingRecords<T, X> {
  /** The columns that may name new records, and what the template says of each: its list only suggests. */
  readonly columns: Readonly<Record<string, string>>
  readonly find: (
    db: Db,
    request: ImportRequest<X>,
    lines: readonly SheetLine<T>[],
  ) => Promise<readonly MissingRecord[]>
  readonly add: (tx: Tx, request: ImportRequest<X>, lines: readonly SheetLine<T>[]) => Promise<void>
}

export interface ImportDefinition<T = any, X extends Fields = any, E = any> {
  /** `rooms.room`: names its task and its files. */
  readonly kind: string
  readonly calls: ImportCalls<X>
  readonly sheet: SheetSchema<T>
  /** Columns that the template leaves out. */
  readonly hiddenInTemplate?: readonly string[]
  /**
   * With `lock` inside the writing transaction: what the lines refer to must not vanish, and no second import
   * of the same kind runs beside it.
   */
  readonly openSession: (
    db: Db,
    request: ImportRequest<ValueOf<X>>,
    lines: readonly SheetLine<T>[],
    lock: boolean,
  ) => Promise<ImportSession<T, E>>
  readonly missing?: MissingRecords<T, ValueOf<X>>
  /** Live drop-down lists for the template, by column key (IMP-7). */
  readonly templateOptions?: (
    db: Db,
    request: ImportRequest<ValueOf<X>>,
  ) => Promise<Readonly<Record<string, readonly string[]>>>
}
