import type { ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Fields } from '#kit/contract/field.ts'
import type { Page } from '#kit/contract/shape.ts'
import type { Export, Import } from '#kit/contract/transfer.ts'
import type { Column } from '../columns.tsx'
import type { DrawerSpec } from '../detail/detail-drawer.tsx'
import type { Key } from '../table/data-table.tsx'
import type { Verb, Verbs } from '../verb.tsx'
import type { Batch } from './batch-bar.tsx'
import type { View } from './views.tsx'

export interface ListProps<I, T> {
  readonly list: Call<I, Page<T>>
  readonly columns: readonly Column<T>[]
  /** What a row is called: `还没有房间`. */
  readonly what: string
  /** Members of the search that are always asked and never shown. */
  readonly fixed?: Partial<I>
  /** What the keyword box looks for, where the fields marked as sought do not say all of it. */
  readonly sought?: string
  /** Keys of the filters in order; all of the search otherwise. */
  readonly filters?: readonly string[]
  /** Fields of filters that no row carries: a sum is narrowed by what it was made of. */
  readonly asks?: Fields
  /** The two to four most used ones. */
  readonly bar?: readonly string[]
  readonly views?: readonly Omit<View, 'own'>[]
  /** The one primary verb (N). */
  readonly primary?: Verb | false | undefined
  readonly tools?: Verbs
  readonly row?: (row: T) => Verbs
  readonly batch?: readonly (Batch<T, I> | false | undefined)[]
  /** Why a row cannot be ticked (支付中). */
  readonly untickable?: (row: T) => string | undefined
  /** Voided rows. */
  readonly dim?: (row: T) => boolean
  readonly drawer?: DrawerSpec<T>
  readonly import?: Import<any> | undefined
  /** What the import must be told besides the file. */
  readonly importGiven?: Readonly<Record<string, unknown>>
  readonly export?: Export<I> | undefined
  readonly keyOf?: (row: T) => Key
  /** Inside a detail or a dialog: no address, no window height; `size` rows a page (10). */
  readonly embedded?: boolean
  readonly size?: number
  /** Settings are kept under it; the path of the list otherwise. */
  readonly name?: string
  /** Between toolbar and filters: a scope line of the screen's own. */
  readonly above?: ReactNode
  /** Beside the sheet, instead of a drawer (a tree at the left). */
  readonly beside?: ReactNode
}
