import type { ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Fields } from '#kit/contract/field.ts'
import type { Page } from '#kit/contract/shape.ts'
import type { ExportCalls, ImportCalls } from '#kit/contract/import-export.ts'
import type { Column } from '../columns.tsx'
import type { DrawerSpec } from '../detail/detail-drawer.tsx'
import type { RowKey } from '../table/data-table.tsx'
import type { Action, Actions } from '../action.tsx'
import type { BatchAction } from './batch-bar.tsx'
import type { ListView } from './list-views.tsx'

export interface ListProps<I, T> {
  readonly list: Call<I, Page<T>>
  readonly columns: readonly Column<T>[]
  /** What a row is called: `暂无房间`. */
  readonly itemName: string
  /** Members of the search that are always sent and never shown. */
  readonly fixedFilter?: Partial<I>
  /** What the keyword input searches, where the searchable fields do not say all of it. */
  readonly keywordPlaceholder?: string
  /** Keys of the filters in order; all of the search otherwise. */
  readonly filters?: readonly string[]
  /** Fields of filters that no row has: a sum is filtered by what it was made of. */
  readonly extraFilterFields?: Fields
  /** The two to four most used ones. */
  readonly barFilters?: readonly string[]
  readonly views?: readonly Omit<ListView, 'own'>[]
  /** The one primary action (N). */
  readonly primaryAction?: Action | false | undefined
  readonly toolbarActions?: Actions
  readonly rowActions?: (row: T) => Actions
  readonly batchActions?: readonly (BatchAction<T, I> | false | undefined)[]
  /** Why a row cannot be selected (支付中). */
  readonly unselectableReason?: (row: T) => string | undefined
  /** Rows shown grey: out of use. Those whose state is `struckOut` are struck through of themselves. */
  readonly isDimmed?: (row: T) => boolean
  readonly drawer?: DrawerSpec<T>
  readonly import?: ImportCalls<any> | undefined
  /** Input of the import besides the file. */
  readonly importInput?: Readonly<Record<string, unknown>>
  /** What usually follows an import, offered with its result. */
  readonly afterImport?: Action | false | undefined
  readonly export?: ExportCalls<I> | undefined
  readonly keyOf?: (row: T) => RowKey
  /** Inside a detail or a dialog: no address, no window height; `pageSize` rows a page (10). */
  readonly embedded?: boolean
  readonly pageSize?: number
  /** Embedded in a page of tabs, and filtered by the address all the same: links lead to it. */
  readonly addressed?: boolean
  /** Key of the person's settings; without it the path of the call. */
  readonly settingsKey?: string
  /** Between toolbar and filters: a line of the screen's own. */
  readonly belowToolbar?: ReactNode
  /** Beside the table (a tree at the left). */
  readonly sidePanel?: ReactNode
}
