import { measureText } from '../cell-renderers.tsx'
import type { Column } from '../columns.tsx'

export const rowHeights = { head: 40, row: 44, dense: 36, totals: 36, tick: 40 } as const
const padding = 20

/** Widest value of every figure column among these rows, in px. */
export const widestValues = <T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
): ReadonlyMap<string, number> =>
  new Map(
    columns
      .filter(c => c.fitContent)
      .map(c => {
        // Of figures the longest text is the widest to within a digit: only the three longest lengths are
        // measured.
        const texts = rows.map(c.text)
        const long = Math.max(0, ...texts.map(t => t.length)) - 2
        return [
          c.key,
          Math.max(
            0,
            ...[...new Set(texts.filter(t => t.length >= long))].map(t => measureText(t, c.strong)),
          ),
        ]
      }),
  )

/**
 * Least width of every column for these rows and totals; a column never becomes narrower again while it is on
 * screen.
 */
export function measureColumns<T>(
  columns: readonly Column<T>[],
  rowWidths: ReadonlyMap<string, number>,
  totals: readonly Readonly<Record<string, string>>[],
  previousWidths: ReadonlyMap<string, number>,
): Map<string, number> {
  return new Map(
    columns.map(c => [
      c.key,
      !c.fitContent
        ? c.width
        : Math.max(
            c.width,
            previousWidths.get(c.key) ?? 0,
            Math.ceil(
              Math.max(rowWidths.get(c.key) ?? 0, ...totals.map(t => measureText(t[c.key] ?? '', true))),
            ) + padding,
          ),
    ]),
  )
}

export interface PlacedColumn<T> {
  readonly column: Column<T>
  readonly width: number
  /** Distance from the fixed edge, in px. */ readonly left?: number | undefined
}

export interface Layout<T> {
  readonly columns: readonly PlacedColumn<T>[]
  readonly total: number
  readonly overflows: boolean
  readonly hiddenKeys: readonly string[]
}

const minWidth = <T>(c: Column<T>): number => Math.max(c.width * 0.6, measureText(c.title) * 0.93 + 22)

/**
 * Lays columns into a width. What may be dropped is dropped first, in order; then the table scrolls sideways
 * and the pinned columns stand still. Spare width goes to the words, up to twice what they need; what is left
 * then to everybody alike.
 */
export function layOutColumns<T>(
  all: readonly Column<T>[],
  minWidths: ReadonlyMap<string, number>,
  width: number,
  fixedWidth: number,
  pinned: ReadonlySet<string>,
  narrow: boolean,
): Layout<T> {
  const requiredWidth = (columns: readonly Column<T>[]): number =>
    columns.reduce((n, c) => n + minWidths.get(c.key)!, fixedWidth)
  let columns = [...all]
  const dropped: string[] = []
  for (const c of all.filter(c => c.wideOnly).reverse()) {
    if (requiredWidth(columns) <= width) break
    columns = columns.filter(other => other !== c)
    dropped.push(c.key)
  }
  if (narrow) {
    for (const c of all
      .filter(c => c.hidePriority !== undefined)
      .sort((a, b) => a.hidePriority! - b.hidePriority!)) {
      if (requiredWidth(columns) <= width) break
      columns = columns.filter(other => other !== c)
      dropped.push(c.key)
    }
  }
  columns = [...columns.filter(c => pinned.has(c.key)), ...columns.filter(c => !pinned.has(c.key))]
  const missing = requiredWidth(columns) - width
  const shrinkable = columns.map(c =>
    c.grow && !c.fitContent ? Math.max(0, minWidths.get(c.key)! - minWidth(c)) : 0,
  )
  const totalShrinkable = shrinkable.reduce((a, b) => a + b, 0)
  // Words give way before anything has to be scrolled sideways; their full text stands in the hover. What is
  // never cut gives nothing.
  const base = columns.map(
    (c, i) =>
      minWidths.get(c.key)! -
      (missing > 0 && totalShrinkable >= missing
        ? Math.ceil((shrinkable[i]! / totalShrinkable) * missing)
        : 0),
  )
  const extra = Math.max(0, -missing)
  const totalGrow = columns.reduce((n, c) => n + c.grow, 0)
  const grownWidths = columns.map(
    (c, i) => base[i]! + (totalGrow ? Math.min(extra * (c.grow / totalGrow), base[i]!) : 0),
  )
  const remaining = Math.max(0, width - fixedWidth - grownWidths.reduce((a, b) => a + b, 0))
  const perColumn = remaining / Math.max(1, columns.length)
  const widths = grownWidths.map(w => Math.floor(w + perColumn))
  // The pixels lost to rounding go to the first column, so that the table ends where its band ends.
  if (extra > 0 && widths.length) {
    widths[0]! += Math.max(0, width - fixedWidth - widths.reduce((a, b) => a + b, 0))
  }
  const total = widths.reduce((a, b) => a + b, fixedWidth)
  const overflows = total > width + 0.5
  let offset = 0
  return {
    columns: columns.map((column, i) => {
      const fixed = overflows && (pinned.has(column.key) || (i === 0 && pinned.size === 0))
      const placed = { column, width: widths[i]!, left: fixed ? offset : undefined }
      if (fixed) {
        offset += widths[i]!
      }
      return placed
    }),
    total,
    overflows,
    hiddenKeys: dropped,
  }
}

export interface VisibleRange {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
}

/** Above this many rows only those in sight are drawn. */
export const virtualFrom = 200

/** Rows by which the drawn part moves. */
export const visibleStep = 10

/**
 * Which of n rows of one height are in sight, with a screenful to spare on either side, in steps so that
 * scrolling seldom redraws.
 */
export function visibleRange(n: number, height: number, scrollTop: number, viewHeight: number): VisibleRange {
  if (n <= virtualFrom) return { from: 0, to: n, before: 0, after: 0 }
  const step = visibleStep
  const from = Math.max(0, Math.floor((scrollTop / height - 20) / step) * step)
  const to = Math.min(n, Math.ceil(((scrollTop + viewHeight) / height + 20) / step) * step)
  return { from, to, before: from * height, after: (n - to) * height }
}
