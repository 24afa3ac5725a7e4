/** What a column of a file to be written needs; a `SheetColumn` of the contract is one. */
export interface OutputColumn {
  readonly heading: string
  /** Marked with `*` and red; readers take the mark off. */
  readonly required?: boolean
  /**
   * Excel's number format for figures, such as `0.00`; texts are always text. `@` keeps what people type as
   * text too.
   */
  readonly format?: string | undefined
  /** In half-width characters; computed from the heading where it is not set. */
  readonly width?: number
  /** Offered in a drop-down; Excel refuses other values unless `suggestsOnly`. */
  readonly options?: readonly string[] | undefined
  /** Values outside the options are accepted after Excel has asked. */
  readonly suggestsOnly?: boolean
  /** Shown when a cell of the column is chosen: how to fill it. */
  readonly note?: string
}

/**
 * Figures become numbers, texts stay text whatever they begin with (EXP-4), true and false become 是 and 否.
 */
export type CellValue = string | number | boolean | null | undefined
export type Row = readonly CellValue[]

/** Rows in batches, as cursors return them; only one batch is in memory. */
export type RowBatches = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

export const headingText = (c: OutputColumn): string => (c.required ? `*${c.heading}` : c.heading)
export const formatFlag = (v: boolean): string => (v ? '是' : '否')

/** A Chinese character counts as two. */
export const columnWidth = (column: OutputColumn): number =>
  column.width ??
  Math.min(
    60,
    [...headingText(column)].reduce((n, letter) => n + (letter > '\u2e80' ? 2 : 1), 4),
  )
