import { defined } from '#kit/domain/defined.ts'

/** Heights of one sheet that holds everything, in any one unit. */
export interface SheetMeasurements {
  readonly paper: number
  /** The sheet without its rows. */
  readonly fixedHeight: number
  /** What is under the rows, on the last page alone. */
  readonly footerHeight: number
  /** The height of the subtotal row, where there are several pages. */
  readonly subtotalHeight?: number
  readonly rows: readonly number[]
}

/**
 * PRINT-6: which rows are on which page, `[from, to)`; the last page leaves room for the sums, every page
 * for its head and, of several, its subtotal. No row goes over while there is room, but the sums never stand
 * alone. 93 mm with 50 bare, 20 of them tail, and 12 rows of 6 is 10 + 2.
 */
export function paginateRows({
  paper,
  fixedHeight,
  footerHeight,
  subtotalHeight = 0,
  rows,
}: SheetMeasurements): readonly (readonly [from: number, to: number])[] {
  const pages: [number, number][] = []
  const height = (from: number): number => rows.slice(from).reduce((n, r) => n + r, 0)
  const lastPageHeight = (from: number): number =>
    fixedHeight + (from > 0 ? subtotalHeight : 0) + height(from)
  let from = 0
  while (from < rows.length - 1 && lastPageHeight(from) > paper + 0.5) {
    let to = from
    let used = fixedHeight - footerHeight + subtotalHeight
    const limit = rows.length - 1
    while (to < limit && (to === from || used + defined(rows[to]) <= paper + 0.5)) {
      used += defined(rows[to++])
    }
    pages.push([from, to])
    from = to
  }
  return [...pages, [from, rows.length]]
}
