import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { Column } from '../columns.tsx'

export type RowKey = number | string

export interface SortOrder {
  readonly key: string
  readonly descending: boolean
}

/** A line of totals under the rows: its label, and texts by column key. */
export interface TotalLine {
  readonly label: ReactNode
  readonly cells: Readonly<Record<string, string>>
  readonly highlighted?: boolean | undefined
  /** Comes after the rows: it never moves a column, and a figure wider than its column is drawn smaller. */
  readonly isLate?: boolean
  /** In the place of figures that are still being added up: their widths in px, by column key. */
  readonly pendingWidths?: Readonly<Record<string, number>> | undefined
}

export interface TableSelection {
  readonly isSelected: (k: RowKey) => boolean
  readonly isAllSelected: boolean
  readonly isSomeSelected: boolean
  readonly setSelected: (rows: readonly number[], on: boolean) => void
  /** Why a row has no checkbox. */
  readonly disabledReason?: ((i: number) => string | undefined) | undefined
}

export interface DataTableProps<T> {
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => RowKey
  readonly label: string
  readonly pinned?: ReadonlySet<string>
  readonly order?: SortOrder | undefined
  readonly onOrder?: ((o: SortOrder | undefined) => void) | undefined
  readonly selection?: TableSelection | undefined
  readonly totals?: readonly TotalLine[]
  /** Room that late totals need, in px by column key; the same object as long as the rows are the same. */
  readonly reservedWidths?: Readonly<Record<string, number>> | undefined
  readonly actions?: ((row: T, index: number) => ReactNode) | undefined
  readonly actionsWidth?: number
  /** Opens a row; with it the identity column is a link. */
  readonly onOpen?: ((index: number, target: { readonly tab: boolean }) => void) | undefined
  readonly opened?: RowKey | undefined
  /** Index of the row that has the keyboard cursor. */
  readonly current?: number | undefined
  readonly onCurrent?: ((i: number) => void) | undefined
  readonly isDimmed?: ((row: T) => boolean) | undefined
  /** Rows that count in no sum: their figures are struck through. */
  readonly isStruckOut?: ((row: T) => boolean) | undefined
  readonly busy?: boolean
  readonly dense?: boolean
  readonly placeholder?: ReactNode
  readonly scroller?: RefObject<HTMLDivElement | null>
  readonly onKey?: (e: KeyboardEvent<HTMLElement>) => void
  readonly onColumnsHidden?: (keys: readonly string[]) => void
}
