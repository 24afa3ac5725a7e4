import {
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import type { Column } from '../columns.tsx'
import {
  rowHeights,
  visibleRange,
  layOutColumns,
  measureColumns,
  visibleStep,
  virtualFrom,
  widestValues,
  type Layout,
} from './column-layout.ts'
import './table.css'

export type RowKey = number | string

export interface SortOrder {
  readonly key: string
  readonly descending: boolean
}

/** A line of totals under the rows: its words, and texts under columns. */
export interface TotalLine {
  readonly label: ReactNode
  readonly cells: Readonly<Record<string, string>>
  readonly highlighted?: boolean | undefined
}

export interface TableSelection {
  readonly isSelected: (k: RowKey) => boolean
  readonly isAllSelected: boolean
  readonly isSomeSelected: boolean
  readonly setSelected: (rows: readonly number[], on: boolean) => void
  /** Why a row has no tick box. */ readonly disabledReason?: ((i: number) => string | undefined) | undefined
}

interface DataTableProps<T> {
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => RowKey
  readonly label: string
  readonly pinned?: ReadonlySet<string>
  readonly order?: SortOrder | undefined
  readonly onOrder?: ((o: SortOrder | undefined) => void) | undefined
  readonly selection?: TableSelection | undefined
  readonly totals?: readonly TotalLine[]
  readonly actions?: ((row: T, index: number) => ReactNode) | undefined
  readonly actionsWidth?: number
  /** Opens a row: the identity is a link then. */
  readonly onOpen?: ((index: number, how: { readonly tab: boolean }) => void) | undefined
  readonly opened?: RowKey | undefined
  /** The row the keyboard stands on. */
  readonly current?: number | undefined
  readonly onCurrent?: ((i: number) => void) | undefined
  readonly isDimmed?: ((row: T) => boolean) | undefined
  readonly busy?: boolean
  readonly dense?: boolean
  readonly placeholder?: ReactNode
  readonly scroller?: RefObject<HTMLDivElement | null>
  readonly onKey?: (e: KeyboardEvent<HTMLElement>) => void
  readonly onColumnsHidden?: (keys: readonly string[]) => void
}

interface RowProps<T> {
  readonly row: T
  readonly index: number
  readonly layout: Layout<T>
  readonly selected: boolean | undefined
  readonly disabledReason: string | undefined
  readonly current: boolean
  readonly opened: boolean
  readonly dim: boolean
  readonly link: boolean
  readonly actions: ((row: T, index: number) => ReactNode) | undefined
}

/** Nothing in a row is made anew while it only stands there: a tick redraws one row. */
const Row = memo(function Row<T>({
  row,
  index,
  layout,
  selected: ticked,
  disabledReason,
  current,
  opened,
  dim,
  link,
  actions,
}: RowProps<T>) {
  return (
    <tr
      data-i={index}
      aria-selected={ticked}
      className={`${ticked ? 'on ' : ''}${current ? 'current ' : ''}${opened ? 'opened ' : ''}${dim ? 'void' : ''}`}
    >
      {ticked !== undefined && (
        <td className="tick stuck" title={disabledReason}>
          {disabledReason === undefined && (
            <input
              type="checkbox"
              checked={ticked}
              readOnly
              tabIndex={-1}
              aria-label={`选择第 ${index + 1} 行`}
            />
          )}
        </td>
      )}
      {layout.columns.map(({ column: c, left }) => {
        const text = c.fitContent ? undefined : c.text(row)
        const body = c.render(row)
        return (
          <td
            key={c.key}
            className={`${c.align === 'right' ? 'right ' : ''}${left !== undefined ? 'stuck ' : ''}${c.strong ? 'strong ' : ''}${c.fitContent ? 'fit' : ''}`}
            style={left === undefined ? undefined : { left }}
            title={text && text !== '--' ? text : undefined}
          >
            {c.identity && link ? (
              <button type="button" className="identity" tabIndex={-1} data-open="">
                {body}
              </button>
            ) : body === '--' || body === '' || body === null || body === undefined ? (
              <span className="blank">--</span>
            ) : (
              body
            )}
          </td>
        )
      })}
      {actions && <td className="acts stuck">{actions(row, index)}</td>}
    </tr>
  )
}) as <T>(p: RowProps<T>) => ReactNode

/** Width and height of an element, followed. */
function useSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const el = ref.current
    if (!el) return undefined
    const read = (): void =>
      setSize(s =>
        s.width === el.clientWidth && s.height === el.clientHeight
          ? s
          : { width: el.clientWidth, height: el.clientHeight },
      )
    read()
    const seen = new ResizeObserver(read)
    seen.observe(el)
    return () => seen.disconnect()
  }, [ref])
  return size
}

/**
 * The table of the house: one row height, head and totals stuck, figures never cut, fixed edges only when it
 * overflows, drawn in part above 200 rows. Only its body scrolls; nothing in it moves when it is loading.
 */
export function DataTable<T>(p: DataTableProps<T>) {
  const own = useRef<HTMLDivElement>(null)
  const scroller = p.scroller ?? own
  const { width, height } = useSize(scroller)
  const [top, setTop] = useState(0)
  const last = useRef<number>(-1)
  const widths = useRef(new Map<string, number>())
  const rowHeight = p.dense ? rowHeights.dense : rowHeights.row
  const totals = (p.placeholder ? undefined : p.totals) ?? []
  const cells = totals.map(t => t.cells)
  const around = (p.selection ? rowHeights.tick : 0) + (p.actions ? (p.actionsWidth ?? 96) : 0)
  const inRows = useMemo(() => widestValues(p.columns, p.rows), [p.columns, p.rows])
  const said = cells.map(c => Object.values(c).join()).join()
  const least = useMemo(
    () => measureColumns(p.columns, inRows, cells, widths.current),
    [p.columns, inRows, said],
  )
  useEffect(() => {
    widths.current = least
  }, [least])
  const leastKey = [...least.values()].join()
  const layout = useMemo(
    () => layOutColumns(p.columns, least, width, around, p.pinned ?? none, width < 1120),
    [p.columns, leastKey, width, around, p.pinned],
  )
  useEffect(() => {
    p.onColumnsHidden?.(layout.hiddenKeys)
  }, [layout.hiddenKeys.join()])
  const sight = visibleRange(p.rows.length, rowHeight, top, height)
  // Few rows: the totals stand at the foot of the sheet all the same.
  const spare = totals.length
    ? height - rowHeights.head - p.rows.length * rowHeight - totals.length * rowHeights.totals - 1
    : 0

  useEffect(() => {
    const el = scroller.current
    if (!el || p.current === undefined) return
    const begin = p.current * rowHeight
    const foot = el.clientHeight - rowHeights.head - totals.length * rowHeights.totals
    if (begin < el.scrollTop) {
      el.scrollTop = begin
    } else if (begin + rowHeight > el.scrollTop + foot) {
      el.scrollTop = begin + rowHeight - foot
    }
  }, [p.current])

  const tick = (i: number, range: boolean): void => {
    if (!p.selection || p.selection.disabledReason?.(i)) return
    const on = !p.selection.isSelected(p.keyOf(p.rows[i]!))
    const from = range && last.current >= 0 ? last.current : i
    const span = Array.from({ length: Math.abs(i - from) + 1 }, (_, n) => Math.min(i, from) + n)
    p.selection.setSelected(span, on)
    last.current = i
  }
  const onClick = (e: MouseEvent<HTMLElement>): void => {
    const at = e.target as HTMLElement
    const tr = at.closest<HTMLElement>('tr[data-i]')
    if (!tr) return
    const i = Number(tr.dataset.i)
    if (at.closest('.tick')) {
      tick(i, e.shiftKey)
      p.onCurrent?.(i)
      return
    }
    if (at.closest('.acts, a[href], button:not([data-open]), input, label')) return
    if (at.closest('[data-open]')) {
      p.onCurrent?.(i)
      p.onOpen?.(i, { tab: e.altKey || e.ctrlKey || e.metaKey })
      return
    }
    if (String(getSelection() ?? '')) return
    p.onCurrent?.(i)
    if (p.opened !== undefined) {
      p.onOpen?.(i, { tab: false })
    }
  }
  const sortBy = (key: string): void =>
    p.onOrder?.(
      p.order?.key !== key
        ? { key, descending: false }
        : p.order.descending
          ? undefined
          : { key, descending: true },
    )
  const onHeadKey = (e: KeyboardEvent, key: string): void => {
    if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault()
      e.stopPropagation()
      sortBy(key)
    }
  }
  const span = layout.columns.length + (p.selection ? 1 : 0) + (p.actions ? 1 : 0)
  const stuck = (left: number | undefined): { left: number } | undefined =>
    left === undefined ? undefined : { left: left + (p.selection ? rowHeights.tick : 0) }
  const shifted = useMemo(
    () => ({
      ...layout,
      columns: layout.columns.map(c =>
        c.left === undefined ? c : { ...c, left: c.left + (p.selection ? rowHeights.tick : 0) },
      ),
    }),
    [layout, p.selection === undefined],
  )

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
          setTop(Math.floor(e.currentTarget.scrollTop / (rowHeight * visibleStep)) * rowHeight * visibleStep)
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
          {p.actions && <col style={{ width: p.actionsWidth ?? 96 }} />}
        </colgroup>
        <thead>
          <tr>
            {p.selection && (
              <th className="tick stuck">
                <input
                  type="checkbox"
                  aria-label="选择本页"
                  checked={p.selection.isAllSelected}
                  ref={el => {
                    if (el) {
                      el.indeterminate = !p.selection!.isAllSelected && p.selection!.isSomeSelected
                    }
                  }}
                  onChange={e =>
                    p.selection!.setSelected(
                      p.rows.map((_, i) => i),
                      e.target.checked,
                    )
                  }
                />
              </th>
            )}
            {layout.columns.map(({ column: c, left }) => {
              const sorted =
                c.sortKey !== undefined && p.order?.key === c.sortKey
                  ? p.order.descending
                    ? 'descending'
                    : 'ascending'
                  : undefined
              return (
                <th
                  key={c.key}
                  scope="col"
                  aria-sort={c.sortKey ? (sorted ?? 'none') : undefined}
                  className={`${c.align === 'right' ? 'right ' : ''}${left !== undefined ? 'stuck ' : ''}${sorted ? 'sorted' : ''}`}
                  style={stuck(left)}
                  title={c.help}
                >
                  {c.sortKey && p.onOrder ? (
                    <span
                      role="button"
                      tabIndex={0}
                      className="sorter"
                      onClick={() => sortBy(c.sortKey!)}
                      onKeyDown={e => onHeadKey(e, c.sortKey!)}
                    >
                      {c.title}
                      <i className={sorted ?? ''} aria-hidden />
                    </span>
                  ) : (
                    c.title
                  )}
                </th>
              )
            })}
            {p.actions && (
              <th className="acts stuck" scope="col">
                操作
              </th>
            )}
          </tr>
        </thead>
        <tbody onClick={onClick}>
          {sight.before > 0 && (
            <tr className="gap" aria-hidden>
              <td colSpan={span} style={{ height: sight.before }} />
            </tr>
          )}
          {p.rows.slice(sight.from, sight.to).map((row, n) => {
            const i = sight.from + n
            const key = p.keyOf(row)
            return (
              <Row
                key={key}
                row={row}
                index={i}
                layout={shifted}
                selected={p.selection ? p.selection.isSelected(key) : undefined}
                disabledReason={p.selection?.disabledReason?.(i)}
                current={p.current === i}
                opened={p.opened !== undefined && p.opened === key}
                dim={p.isDimmed?.(row) ?? false}
                link={p.onOpen !== undefined}
                actions={p.actions}
              />
            )
          })}
          {spare > 0 && (
            <tr className="gap" aria-hidden>
              <td colSpan={span} style={{ height: spare }} />
            </tr>
          )}
          {sight.after > 0 && (
            <tr className="gap" aria-hidden>
              <td colSpan={span} style={{ height: sight.after }} />
            </tr>
          )}
        </tbody>
        {totals.length > 0 && (
          <tfoot>
            {totals.map((t, n) => (
              <TotalRow
                key={n}
                total={t}
                layout={layout}
                ticks={p.selection !== undefined}
                acts={p.actions !== undefined}
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

const none: ReadonlySet<string> = new Set()

/** The words take all columns before the first figure. */
function TotalRow<T>({
  total,
  layout,
  ticks,
  acts,
  bottom,
}: {
  total: TotalLine
  layout: Layout<T>
  ticks: boolean
  acts: boolean
  bottom: number
}) {
  const first = layout.columns.findIndex(c => total.cells[c.column.key] !== undefined)
  const lead = first < 0 ? layout.columns.length : first
  return (
    <tr className={total.highlighted ? 'on' : ''}>
      <td colSpan={Math.max(1, lead + (ticks ? 1 : 0))} className="words" style={{ bottom }}>
        <span>{total.label}</span>
      </td>
      {layout.columns.slice(lead + (lead === 0 && !ticks ? 1 : 0)).map(({ column: c }) => (
        <td key={c.key} className={`right${c.strong ? ' strong' : ''}`} style={{ bottom }}>
          {total.cells[c.key]}
        </td>
      ))}
      {acts && <td className="acts" style={{ bottom }} />}
    </tr>
  )
}
