import type { Day, Fields, ValueOf } from '#kit/contract/field.ts'
import type { Call } from '#kit/contract/call.ts'
import type { CrudOperation } from '#kit/contract/crud.ts'
import type { CrudExport } from '#kit/contract/crud-sheet.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import type { ImporterOptions } from './crud-import-options.ts'
import type { Db, RawBuilder } from './db.ts'
import type { WriteContext } from './handler.ts'
import type { Scope } from './scope.ts'
import type { SearchTextFields } from './search-column.ts'

type Condition = RawBuilder<any>
type Awaitable<T> = T | Promise<T>

/** What conditions and lists are made with. `db` is the transaction where there is one. */
export interface CrudContext {
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
}

/**
 * How a reference is checked otherwise than by default: the message where the record is not there, or why it
 * is not checked here.
 */
export type ReferenceRule = string | { readonly unchecked: string }

/** What an entity adds to the plain handlers; `D` is what its form saves, `N` what adding says beside it. */
export interface CrudHooks<F extends Fields, Q, D, N = D, T = ValueOf<F>> {
  /** Automatic codes by field: `{ merchantNo: 'SH' }` gives `SH000123` where nothing was filled in. */
  readonly codes?: { readonly [K in keyof F]?: string }
  /** Fields that the keyword finds, kept in the column `search_text` (names also by pinyin). */
  readonly searchText?: SearchTextFields<F>
  /** Pictures, one or a list of them, that are checked when they change (0§5). */
  readonly pictures?: readonly (keyof F & string)[]
  /** Fields of which an edit with another value is refused; other immutable ones keep theirs silently. */
  readonly refusesChangeOf?: readonly (keyof F & string)[]
  /** Conditions beside the declared filters; the export of the list asks the same (EXP-1). */
  readonly filter?: (q: Q, c: CrudContext) => Awaitable<readonly Condition[]>
  /** How the keyword is sought, where the search text does not say all of it. */
  readonly keyword?: (word: string, c: CrudContext) => Condition
  /** Adds what lists and records show beside what is stored. Personal data is masked afterwards. */
  readonly enrich?: (rows: readonly T[], c: CrudContext & { readonly app: App }) => Promise<readonly T[]>
  /** A new or changed reference must be there, seen, in the record's project: how these differ. */
  readonly references?: { readonly [K in keyof F]?: ReferenceRule }
  /** Before anything else in a transaction that writes: a lock over several records. */
  readonly lock?: (c: WriteContext) => Promise<unknown>
  /** What is wrong with a draft; all faults are answered together. */
  readonly check?: (draft: D, c: WriteContext, before: T | undefined) => Awaitable<readonly FieldFault[]>
  /** Values to store with, or instead of, those of the draft. */
  readonly beforeInsert?: (draft: N, c: WriteContext) => Awaitable<object>
  readonly beforeUpdate?: (draft: D, c: WriteContext, before: T) => Awaitable<object>
  /** Refuses what cannot be deleted, asked of each record before the guard of dependents; changes nothing. */
  readonly beforeDelete?: (rows: readonly T[], c: WriteContext) => Promise<unknown>
  readonly afterInsert?: (row: T, c: WriteContext, draft: N) => Promise<unknown>
  readonly afterUpdate?: (row: T, c: WriteContext, before: T) => Promise<unknown>
  readonly afterDelete?: (rows: readonly T[], c: WriteContext) => Promise<unknown>
  /** The specification has no other call that saves: adding with the id of a record edits it (G-2). */
  readonly addSaves?: boolean
  /** Declared calls whose handlers the module writes itself. */
  readonly byHand?: readonly CrudOperation[]
  /** The messages for violated unique indexes: `{ merchant_no_live: '该项目已有此商户号' }`. */
  readonly unique?: Readonly<Record<string, string>>
  readonly export?: CrudExport<Q>
  /** Rows of an export, where its cells say something else than what is stored. */
  readonly exportRows?: (rows: readonly T[]) => readonly object[]
  /** Slim lists of the entity (`pickerOf`). */
  readonly pickers?: readonly Call<any, any>[]
  readonly import?: ImporterOptions<F, any, any, any, any, any>
}
