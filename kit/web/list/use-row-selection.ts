import { useMemo } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { rowsOnly } from '#kit/contract/list-parts.ts'
import { send } from '../send.ts'
import { usePermission, useSession } from '../session.ts'
import type { RowKey, TableSelection } from '../table/data-table.tsx'
import type { BatchAction } from './batch-bar.tsx'
import type { ListProps } from './list-props.ts'
import { maxSelected, useSelection, type SelectedRows, type Selection } from './selection.ts'
import type { useList } from './use-list.ts'

/** The selection as the table draws it: by row index, without the rows that cannot be selected. */
function tableSelection<T>(
  rows: readonly T[],
  selection: Selection<T>,
  keyOf: (row: T) => RowKey,
  unselectableReason: ((row: T) => string | undefined) | undefined,
): TableSelection {
  const isSelectable = (row: T): boolean => !unselectableReason?.(row)
  const selectable = rows.filter(isSelectable)
  const isSelected = (row: T): boolean => selection.selected.has(keyOf(row))
  return {
    isSelected: key => selection.isAllMatching || selection.selected.has(key),
    disabledReason:
      unselectableReason && (i => (i < rows.length ? unselectableReason(rows[i] as T) : undefined)),
    isAllSelected: selectable.length > 0 && (selection.isAllMatching || selectable.every(isSelected)),
    isSomeSelected: selection.isAllMatching || rows.some(isSelected),
    setSelected: (indexes, on) => {
      const changed = indexes
        .filter(i => i < rows.length)
        .map(i => rows[i] as T)
        .filter(isSelectable)
      // Taking one out of 选择全部 leaves the rest of this page selected one by one.
      if (selection.isAllMatching && !on) {
        selection.setSelected(
          selectable.filter(row => !changed.includes(row)),
          true,
        )
      } else {
        selection.setSelected(changed, on)
      }
    },
  }
}

/** The selected rows of a list, and the actions that this person may run on them. */
export function useRowSelection<I, T>(
  props: ListProps<I, T>,
  list: Pick<ReturnType<typeof useList<I, T>>, 'request' | 'rows' | 'total' | 'page'>,
  keyOf: (row: T) => RowKey,
) {
  const hasPermission = usePermission()
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const { rows, total, request } = list
  // Another order shows the same rows: it clears no selection.
  const { order: _order, ...scope } = request as Record<string, unknown>
  const selection = useSelection<T>(keyOf, JSON.stringify([scope, project]))
  const batchActions = (props.batchActions ?? []).filter(
    (b): b is BatchAction<T, I> => !!b && hasPermission(b.needs),
  )
  const canExport = props.export !== undefined && hasPermission(props.export.get.needs as Permission)
  const selectedRows = useMemo(() => [...selection.selected.values()], [selection.selected])
  const selected: SelectedRows<T, I> = selection.isAllMatching
    ? {
        count: total,
        ids: [],
        rows: [],
        allMatching: { filter: request, count: total, sum: list.page?.sum ?? {} },
      }
    : {
        count: selectedRows.length,
        ids: selectedRows.map(r => String(keyOf(r))),
        rows: selectedRows,
        allMatching: undefined,
      }
  return {
    batchActions,
    canExport,
    selected,
    tableSelection:
      batchActions.length || canExport
        ? tableSelection(rows, selection, keyOf, props.unselectableReason)
        : undefined,
    /** All rows of the filter, for an action that takes ids and not a filter. */
    fetchAllMatching: async (): Promise<SelectedRows<T, I>> => {
      const all = await send(props.list, {
        ...request,
        page: 1,
        size: maxSelected,
        ...rowsOnly(props.list),
      } as I)
      return {
        count: all.rows.length,
        ids: all.rows.map(r => String(keyOf(r))),
        rows: all.rows,
        allMatching: undefined,
      }
    },
    selectAllMatching: selection.selectAllMatching,
    clear: selection.clear,
  }
}
