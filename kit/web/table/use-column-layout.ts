import { useEffect, useMemo, useRef } from 'react'
import { layOutColumns, measureColumns, rowHeights, widestValues, type Layout } from './column-layout.ts'
import type { DataTableProps, TotalLine } from './table-types.ts'

/** Below this width of the table, columns with a `hidePriority` are left out. */
const narrowWidth = 1120
const defaultActionsWidth = 96
const nothingPinned: ReadonlySet<string> = new Set()

export const actionsWidthOf = (p: Pick<DataTableProps<never>, 'actionsWidth'>): number =>
  p.actionsWidth ?? defaultActionsWidth

/**
 * The layout of the columns for a width in px. `left` of the fixed ones counts from the table's edge, behind
 * the selection column. Columns never become narrower while the table is on screen.
 */
export function useColumnLayout<T>(
  props: DataTableProps<T>,
  width: number,
  totals: readonly TotalLine[],
): Layout<T> {
  const widths = useRef(new Map<string, number>())
  const cells = totals.filter(t => !t.isLate).map(t => t.cells)
  const selectionWidth = props.selection ? rowHeights.tick : 0
  const fixedWidth = selectionWidth + (props.actions ? actionsWidthOf(props) : 0)
  const rowWidths = useMemo(() => widestValues(props.columns, props.rows), [props.columns, props.rows])
  const totalsText = cells.map(c => Object.values(c).join()).join()
  const minWidths = useMemo(
    () => measureColumns(props.columns, rowWidths, cells, widths.current, props.reservedWidths),
    [props.columns, rowWidths, totalsText, props.reservedWidths],
  )
  useEffect(() => {
    widths.current = minWidths
  }, [minWidths])
  const minWidthsKey = [...minWidths.values()].join()
  const layout = useMemo(
    () =>
      layOutColumns(
        props.columns,
        minWidths,
        width,
        fixedWidth,
        props.pinned ?? nothingPinned,
        width < narrowWidth,
      ),
    [props.columns, minWidthsKey, width, fixedWidth, props.pinned],
  )
  useEffect(() => {
    props.onColumnsHidden?.(layout.hiddenKeys)
  }, [layout.hiddenKeys.join()])
  return useMemo(
    () => ({
      ...layout,
      columns: layout.columns.map(c => (c.left === undefined ? c : { ...c, left: c.left + selectionWidth })),
    }),
    [layout, selectionWidth],
  )
}
