import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { rowHeights, virtualFrom, visibleRange, visibleStep, type Layout } from './column-layout.ts'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import type { DataTableProps } from './table-types.ts'
import { TotalRow } from './total-row.tsx'
import { actionsWidthOf, useColumnLayout } from './use-column-layout.ts'
import { useRowClicks } from './use-row-clicks.ts'
import './table.css'

export type { RowKey, SortOrder, TableSelection, TotalLine } from './table-types.ts'

/** Width and height of an element in px, followed. */
function useSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const update = (): void =>
      setSize(s =>
        s.width === element.clientWidth && s.height === element.clientHeight
          ? s
          : { width: element.clientWidth, height: element.clientHeight },
      )
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}

/** Scrolls so that the row under the keyboard cursor is visible between head and totals. */
function useCursorInView(
  scroller: RefObject<HTMLElement | null>,
  current: number | undefined,
  rowHeight: number,
  totalLines: number,
): void {
  useEffect(() => {
    const element = scroller.current
    if (!element || current === undefined) return
    const start = current * rowHeight
    const bodyHeight = element.clientHeight - rowHeights.head - totalLines * rowHeights.totals
    if (start < element.scrollTop) {
      element.scrollTop = start
    } else if (start + rowHeight > element.scrollTop + bodyHeight) {
      element.scrollTop = start + rowHeight - bodyHeight
    }
  }, [current])
}

function GapRow({ span, height }: { readonly span: number; readonly height: number }) {
  if (height <= 0) return null
  return (
    <tr className="gap" aria-hidden>
      <td colSpan={span} style={{ height }} />
    </tr>
  )
}

function TableBody<T>({
  table,
  layout,
  top,
  height,
  rowHeight,
  fill,
}: {
  readonly table: DataTableProps<T>
  readonly layout: Layout<T>
  /** Scroll position and height of the visible part, in px. */
  readonly top: number
  readonly height: number
  readonly rowHeight: number
  /** Empty space below the rows, so that totals are at the bottom. */
  readonly fill: number
}) {
  const onClick = useRowClicks(table)
  const visible = visibleRange(table.rows.length, rowHeight, top, height)
  const span = layout.columns.length + (table.selection ? 1 : 0) + (table.actions ? 1 : 0)
  return (
    <tbody onClick={onClick}>
      <GapRow span={span} height={visible.before} />
      {table.rows.slice(visible.from, visible.to).map((row, index) => {
        const i = visible.from + index
        const key = table.keyOf(row)
        return (
          <TableRow
            key={key}
            row={row}
            index={i}
            layout={layout}
            selected={table.selection ? table.selection.isSelected(key) : undefined}
            disabledReason={table.selection?.disabledReason?.(i)}
            current={table.current === i}
            opened={table.opened !== undefined && table.opened === key}
            dim={table.isDimmed?.(row) ?? false}
            struck={table.isStruckOut?.(row) ?? false}
            link={table.onOpen !== undefined}
            actions={table.actions}
          />
        )
      })}
      <GapRow span={span} height={fill} />
      <GapRow span={span} height={visible.after} />
    </tbody>
  )
}

/**
 * The table of every list: one row height, head and totals sticky, figures never cut, columns fixed only when
 * it overflows, virtual above 200 rows. Only its body scrolls; nothing in it moves while it is loading.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const ownScroller = useRef<HTMLDivElement>(null)
  const scroller = props.scroller ?? ownScroller
  const { width, height } = useSize(scroller)
  const [top, setTop] = useState(0)
  const rowHeight = props.dense ? rowHeights.dense : rowHeights.row
  const totals = (props.placeholder ? undefined : props.totals) ?? []
  const layout = useColumnLayout(props, width, totals)
  const rowsHeight = props.rows.length * rowHeight
  const fill = totals.length
    ? height - rowHeights.head - rowsHeight - totals.length * rowHeights.totals - 1
    : 0
  useCursorInView(scroller, props.current, rowHeight, totals.length)
  return (
    <div
      ref={scroller}
      className={`sheet${props.busy ? ' busy' : ''}${layout.overflows ? ' wide' : ''}${props.dense ? ' dense' : ''}`}
      tabIndex={0}
      onKeyDown={e => {
        if (e.target === e.currentTarget) {
          props.onKey?.(e)
        }
      }}
      onScroll={e => {
        if (props.rows.length > virtualFrom) {
          const step = rowHeight * visibleStep
          setTop(Math.floor(e.currentTarget.scrollTop / step) * step)
        }
      }}
    >
      <table
        role="grid"
        aria-label={props.label}
        aria-rowcount={props.rows.length}
        style={{ width: layout.total || '100%' }}
      >
        <colgroup>
          {props.selection && <col style={{ width: rowHeights.tick }} />}
          {layout.columns.map(c => (
            <col key={c.column.key} style={{ width: c.width }} />
          ))}
          {props.actions && <col style={{ width: actionsWidthOf(props) }} />}
        </colgroup>
        <TableHead
          layout={layout}
          rows={props.rows.length}
          selection={props.selection}
          order={props.order}
          onOrder={props.onOrder}
          hasActions={props.actions !== undefined}
        />
        <TableBody
          table={props}
          layout={layout}
          top={top}
          height={height}
          rowHeight={rowHeight}
          fill={fill}
        />
        {totals.length > 0 && (
          <tfoot>
            {totals.map((total, index) => (
              <TotalRow
                key={index}
                total={total}
                layout={layout}
                hasSelection={props.selection !== undefined}
                hasActions={props.actions !== undefined}
                bottom={(totals.length - 1 - index) * rowHeights.totals}
              />
            ))}
          </tfoot>
        )}
      </table>
      {props.placeholder}
    </div>
  )
}
