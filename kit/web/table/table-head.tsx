import type { KeyboardEvent } from 'react'
import type { Column } from '../columns.tsx'
import type { Layout } from './column-layout.ts'
import type { DataTableProps, SortOrder, TableSelection } from './table-types.ts'

const sortDirection = <T,>(
  column: Column<T>,
  order: SortOrder | undefined,
): 'ascending' | 'descending' | undefined => {
  if (column.sortKey === undefined || order?.key !== column.sortKey) return undefined
  return order.descending ? 'descending' : 'ascending'
}

/** A press on a heading sorts ascending, then descending, then not at all. */
function nextOrder(key: string, order: SortOrder | undefined): SortOrder | undefined {
  if (order?.key !== key) return { key, descending: false }
  return order.descending ? undefined : { key, descending: true }
}

function SelectAllCell({ selection, rows }: { readonly selection: TableSelection; readonly rows: number }) {
  return (
    <th className="tick stuck">
      <input
        type="checkbox"
        aria-label="选择本页"
        checked={selection.isAllSelected}
        ref={input => {
          if (input) {
            input.indeterminate = !selection.isAllSelected && selection.isSomeSelected
          }
        }}
        onChange={e =>
          selection.setSelected(
            Array.from({ length: rows }, (_, i) => i),
            e.target.checked,
          )
        }
      />
    </th>
  )
}

/** `layout` must already be shifted by the selection column (`left` counts from the table's edge). */
export function TableHead<T>({
  layout,
  rows,
  selection,
  order,
  onOrder,
  hasActions,
}: Pick<DataTableProps<T>, 'selection' | 'order' | 'onOrder'> & {
  readonly layout: Layout<T>
  readonly rows: number
  readonly hasActions: boolean
}) {
  const sortBy = (key: string): void => onOrder?.(nextOrder(key, order))
  const onKey = (e: KeyboardEvent, key: string): void => {
    if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault()
      e.stopPropagation()
      sortBy(key)
    }
  }
  return (
    <thead>
      <tr>
        {selection && <SelectAllCell selection={selection} rows={rows} />}
        {layout.columns.map(({ column, left }) => {
          const { sortKey } = column
          const sorted = sortDirection(column, order)
          return (
            <th
              key={column.key}
              scope="col"
              aria-sort={sortKey ? (sorted ?? 'none') : undefined}
              className={`${column.align === 'right' ? 'right ' : ''}${left !== undefined ? 'stuck ' : ''}${sorted ? 'sorted' : ''}`}
              style={left === undefined ? undefined : { left }}
              title={column.help}
            >
              {sortKey && onOrder ? (
                <span
                  role="button"
                  tabIndex={0}
                  className="sorter"
                  onClick={() => sortBy(sortKey)}
                  onKeyDown={e => onKey(e, sortKey)}
                >
                  {column.title}
                  <i className={sorted ?? ''} aria-hidden />
                </span>
              ) : (
                column.title
              )}
            </th>
          )
        })}
        {hasActions && (
          <th className="actions stuck" scope="col">
            操作
          </th>
        )}
      </tr>
    </thead>
  )
}
