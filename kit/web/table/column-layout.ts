import { defined } from '#kit/domain/defined.ts'
import { measureText } from '../cell-renderers.tsx'
import type { Column } from '../columns.tsx'

export const rowHeights = { head: 40, row: 44, dense: 36, totals: 36, tick: 40 } as const
/** Left and right of what a cell shows, in px. */
export const cellPadding = 20

/** Widest value of every `fitContent` column among these rows, in px. */
export const widestValues = <T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
): ReadonlyMap<string, number> =>
  new Map(
    columns
      .filter(c => c.fitContent)
      .map(column => {
        // The longest text of figures is the widest to within a digit: only the three longest lengths are
        // measured.
        const texts = rows.map(column.text)
        const long = Math.max(0, ...texts.map(t => t.length)) - 2
        return [
          column.key,
          Math.max(
            0,
            ...[...new Set(texts.filter(t => t.length >= long))].map(t => measureText(t, column.strong)),
          ),
        ]
      }),
  )

/**
 * Minimum width of every column for these rows and totals, and for those that are still to come; a column
 * never becomes narrower while it is on screen.
 */
export function measureColumns<T>(
  columns: readonly Column<T>[],
  rowWidths: ReadonlyMap<string, number>,
  totals: readonly Readonly<Record<string, string>>[],
  previousWidths: ReadonlyMap<string, number>,
  reservedWidths: Readonly<Record<string, number>> = {},
): Map<string, number> {
  return new Map(
    columns.map(column => [
      column.key,
      !column.fitContent
        ? column.width
        : Math.max(
            column.width,
            previousWidths.get(column.key) ?? 0,
            Math.ceil(
              Math.max(
                rowWidths.get(column.key) ?? 0,
                reservedWidths[column.key] ?? 0,
                ...totals.map(t => measureText(t[column.key] ?? '', true)),
              ),
            ) + cellPadding,
          ),
    ]),
  )
}

export interface PlacedColumn<T> {
  readonly column: Column<T>
  readonly width: number
  /** Distance from the left edge in px, when fixed. */
  readonly left?: number | undefined
}

export interface Layout<T> {
  readonly columns: readonly PlacedColumn<T>[]
  readonly total: number
  readonly overflows: boolean
  readonly hiddenKeys: readonly string[]
}

const headingWidth = (title: string): number => measureText(title) * 0.93 + 22

/** How narrow a text column may become before the table scrolls sideways. */
const shrunkWidth = <T>(c: Column<T>): number => Math.max(c.width * 0.6, headingWidth(c.title))

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/**
 * The columns that fit: `wideOnly` ones go first, then (when narrow) those with a `hidePriority`, in order.
 */
function columnsThatFit<T>(
  all: readonly Column<T>[],
  requiredWidth: (columns: readonly Column<T>[]) => number,
  width: number,
  narrow: boolean,
): { readonly columns: readonly Column<T>[]; readonly hiddenKeys: readonly string[] } {
  const wideOnly = all.filter(c => c.wideOnly).toReversed()
  const optional = all
    .filter(c => c.hidePriority !== undefined)
    .toSorted((a, b) => defined(a.hidePriority) - defined(b.hidePriority))
  let columns = [...all]
  const hiddenKeys: string[] = []
  const hideWhileTooWide = (candidates: readonly Column<T>[]): void => {
    for (const c of candidates) {
      if (requiredWidth(columns) <= width) break
      columns = columns.filter(other => other !== c)
      hiddenKeys.push(c.key)
    }
  }
  hideWhileTooWide(wideOnly)
  if (narrow) {
    hideWhileTooWide(optional)
  }
  return { columns, hiddenKeys }
}

/**
 * The widths of columns in px. Text columns give way before anything scrolls sideways; spare width goes to
 * them, up to twice what they need, and what then remains to all alike.
 */
function distributeWidths<T>(
  columns: readonly Column<T>[],
  minWidths: ReadonlyMap<string, number>,
  width: number,
): number[] {
  const needed = columns.map(c => defined(minWidths.get(c.key)))
  const missing = sum(needed) - width
  const shrinkable = columns.map((c, i) =>
    c.grow && !c.fitContent ? Math.max(0, defined(needed[i]) - shrunkWidth(c)) : 0,
  )
  const totalShrinkable = sum(shrinkable)
  const shrinks = missing > 0 && totalShrinkable >= missing
  const base = needed.map((w, i) =>
    shrinks ? w - Math.ceil((defined(shrinkable[i]) / totalShrinkable) * missing) : w,
  )
  const spare = Math.max(0, -missing)
  const totalGrow = sum(columns.map(c => c.grow))
  const grown = columns.map(
    (c, i) => defined(base[i]) + (totalGrow ? Math.min(spare * (c.grow / totalGrow), defined(base[i])) : 0),
  )
  const remaining = Math.max(0, width - sum(grown))
  const perColumn = remaining / Math.max(1, columns.length)
  const widths = grown.map(w => Math.floor(w + perColumn))
  // The pixels lost to rounding go to the first column, so that the table ends where its band ends.
  if (spare > 0 && widths.length) {
    widths[0] = defined(widths[0]) + Math.max(0, width - sum(widths))
  }
  return widths
}

/** What must be seen first is first: the fixed column, then statuses and the figure that matters. */
function inOrderOfSight<T>(columns: readonly Column<T>[], pinned: ReadonlySet<string>): Column<T>[] {
  const isFixed = (c: Column<T>, i: number): boolean => (pinned.size ? pinned.has(c.key) : i === 0)
  const fixed = columns.filter(isFixed)
  const others = columns.filter((c, i) => !isFixed(c, i))
  return [...fixed, ...others.filter(c => c.keepInView), ...others.filter(c => !c.keepInView)]
}

/** Columns that are seen before anything is scrolled fill their room, so that none of them is cut. */
function endAtColumn(widths: readonly number[], width: number): number[] {
  let [seen, used] = [0, 0]
  while (seen < widths.length && used + defined(widths[seen]) <= width) {
    used += defined(widths[seen])
    seen += 1
  }
  // With only the fixed one in sight there is nothing to end at.
  if (seen < 2) return [...widths]
  const share = Math.floor((width - used) / seen)
  const rest = width - used - share * seen
  return widths.map((w, i) => (i < seen ? w + share + (i === 0 ? rest : 0) : w))
}

/**
 * Lays columns into a width. `fixedWidth` is what selection and actions take; when the columns overflow, the
 * pinned ones (or the first) stay at the left.
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
    fixedWidth + sum(columns.map(c => defined(minWidths.get(c.key))))
  const { columns: fitting, hiddenKeys } = columnsThatFit(all, requiredWidth, width, narrow)
  const inOrder = [...fitting.filter(c => pinned.has(c.key)), ...fitting.filter(c => !pinned.has(c.key))]
  const ownWidths = distributeWidths(inOrder, minWidths, width - fixedWidth)
  const overflows = fixedWidth + sum(ownWidths) > width + 0.5
  const columns = overflows ? inOrderOfSight(inOrder, pinned) : inOrder
  const widths = overflows
    ? endAtColumn(distributeWidths(columns, minWidths, width - fixedWidth), width - fixedWidth)
    : ownWidths
  const total = fixedWidth + sum(widths)
  const placed: PlacedColumn<T>[] = []
  let offset = 0
  for (const [i, column] of columns.entries()) {
    const isFixed = overflows && (pinned.has(column.key) || (i === 0 && pinned.size === 0))
    placed.push({ column, width: defined(widths[i]), left: isFixed ? offset : undefined })
    if (isFixed) {
      offset += defined(widths[i])
    }
  }
  return { columns: placed, total, overflows, hiddenKeys }
}

export interface VisibleRange {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
}

/** Above this many rows only the visible ones are drawn. */
export const virtualFrom = 200

/** Rows by which the drawn part moves. */
export const visibleStep = 10

/**
 * Which of n rows are visible, with a screenful to spare on either side, in steps so that scrolling seldom
 * redraws.
 */
export function visibleRange(
  rowCount: number,
  height: number,
  scrollTop: number,
  viewHeight: number,
): VisibleRange {
  if (rowCount <= virtualFrom) return { from: 0, to: rowCount, before: 0, after: 0 }
  const step = visibleStep
  const from = Math.max(0, Math.floor((scrollTop / height - 20) / step) * step)
  const to = Math.min(rowCount, Math.ceil(((scrollTop + viewHeight) / height + 20) / step) * step)
  return { from, to, before: from * height, after: (rowCount - to) * height }
}
