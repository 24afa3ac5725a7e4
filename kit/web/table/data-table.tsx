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
  table: p,
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
  /** Empty space below the rows, so that totals stand at the bottom. */
  readonly fill: number
}) {
  const onClick = useRowClicks(p)
  const visible = visibleRange(p.rows.length, rowHeight, top, height)
  const span = layout.columns.length + (p.selection ? 1 : 0) + (p.actions ? 1 : 0)
  return (
    <tbody onClick={onClick}>
      <GapRow span={span} height={visible.before} />
      {p.rows.slice(visible.from, visible.to).map((row, n) => {
        const i = visible.from + n
        const key = p.keyOf(row)
        return (
          <TableRow
            key={key}
            row={row}
            index={i}
            layout={layout}
            selected={p.selection ? p.selection.isSelected(key) : undefined}
            disabledReason={p.selection?.disabledReason?.(i)}
            current={p.current === i}
            opened={p.opened !== undefined && p.opened === key}
            dim={p.isDimmed?.(row) ?? false}
            struck={p.isStruckOut?.(row) ?? false}
            link={p.onOpen !== undefined}
            actions={p.actions}
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
export function DataTable<T>(p: DataTableProps<T>) {
  const ownScroller = useRef<HTMLDivElement>(null)
  const scroller = p.scroller ?? ownScroller
  const { width, height } = useSize(scroller)
  const [top, setTop] = useState(0)
  const rowHeight = p.dense ? rowHeights.dense : rowHeights.row
  const totals = (p.placeholder ? undefined : p.totals) ?? []
  const layout = useColumnLayout(p, width, totals)
  const rowsHeight = p.rows.length * rowHeight
  const fill = totals.length
    ? height - rowHeights.head - rowsHeight - totals.length * rowHeights.totals - 1
    : 0
  useCursorInView(scroller, p.current, rowHeight, totals.length)
  return (
    <div
      ref={scroller}
      className={`sheet${p.busy ? ' busy' : ''}${layout.overflows ? ' wide' : ''}${p.dense ? ' dense' : ''}`}
      tabIndex={0}
      onKeyDown={e => {
        if (e.target === e.currentTarget) {
          p.onKey?.(e)
        }
      }}
      onScroll={e => {
        if (p.rows.length > virtualFrom) {
          const step = rowHeight * visibleStep
          setTop(Math.floor(e.currentTarget.scrollTop / step) * step)
        }
      }}
    >
      <table
        role="grid"
        aria-label={p.label}
        aria-rowcount={p.rows.length}
        style={{ width: layout.total || '100%' }}
      >
        <colgroup>
          {p.selection && <col style={{ width: rowHeights.tick }} />}
          {layout.columns.map(c => (
            <col key={c.column.key} style={{ width: c.width }} />
          ))}
          {p.actions && <col style={{ width: actionsWidthOf(p) }} />}
        </colgroup>
        <TableHead
          layout={layout}
          rows={p.rows.length}
          selection={p.selection}
          order={p.order}
          onOrder={p.onOrder}
          hasActions={p.actions !== undefined}
        />
        <TableBody table={p} layout={layout} top={top} height={height} rowHeight={rowHeight} fill={fill} />
        {totals.length > 0 && (
          <tfoot>
            {totals.map((total, n) => (
              <TotalRow
                key={n}
                total={total}
                layout={layout}
                hasSelection={p.selection !== undefined}
                hasActions={p.actions !== undefined}
                bottom={(totals.length - 1 - n) * rowHeights.totals}
              />
            ))}
          </tfoot>
        )}
      </table>
      {p.placeholder}
    </div>
  )
}
