import { useMemo } from 'react'
import { formatCount } from '../numbers.tsx'
import { send } from '../send.ts'
import { usePermission, useSession } from '../session.ts'
import type { RowKey, TableSelection, TotalLine } from '../table/data-table.tsx'
import type { BatchAction } from './batch-bar.tsx'
import type { ListProps } from './list-props.ts'
import {
  maxSelected,
  decimalPlacesOf,
  formatSum,
  sumRows,
  useSelection,
  type SelectedRows,
} from './selection.ts'
import type { useList } from './use-list.ts'

type ListOfRows<I, T> = Pick<ReturnType<typeof useList<I, T>>, 'asked' | 'rows' | 'total' | 'page' | 'setup'>

/** Ticks of a list, the deeds on them, and the two lines of totals. */
export function useRowSelection<I, T>(p: ListProps<I, T>, l: ListOfRows<I, T>, keyOf: (row: T) => RowKey) {
  const may = usePermission()
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const { rows, total, asked } = l
  // Another order shows the same rows: it takes no ticks away.
  const { order: _order, ...scope } = asked as Record<string, unknown>
  const selection = useSelection<T>(keyOf, JSON.stringify([scope, project]))
  const batch = (p.batchActions ?? []).filter((b): b is BatchAction<T, I> => !!b && may(b.needs))
  const mayExport = p.export !== undefined && may(p.export.get.needs as never)

  const picked = useMemo(() => [...selection.selected.values()], [selection.selected])
  const sum = l.page?.sum ?? {}
  const ticked: SelectedRows<T, I> = selection.isAllMatching
    ? { count: total, ids: [], rows: [], allMatching: { filter: asked, count: total, sum } }
    : { count: picked.length, ids: picked.map(r => String(keyOf(r))), rows: picked, allMatching: undefined }
  /** All rows of the filter by their ids, for a deed that takes no filter. */
  const gather = async (): Promise<SelectedRows<T, I>> => {
    const all = await send(p.list, { ...asked, page: 1, size: maxSelected } as I)
    return {
      count: all.rows.length,
      ids: all.rows.map(r => String(keyOf(r))),
      rows: all.rows,
      allMatching: undefined,
    }
  }

  const free = (r: T): boolean => !p.unselectableReason?.(r)
  const ticks: TableSelection | undefined =
    batch.length || mayExport
      ? {
          isSelected: k => selection.isAllMatching || selection.selected.has(k),
          disabledReason:
            p.unselectableReason &&
            (i => (i < rows.length ? p.unselectableReason!(rows[i] as T) : undefined)),
          isAllSelected:
            rows.some(free) &&
            (selection.isAllMatching || rows.filter(free).every(r => selection.selected.has(keyOf(r)))),
          isSomeSelected: selection.isAllMatching || rows.some(r => selection.selected.has(keyOf(r))),
          setSelected: (at, on) => {
            const some = at
              .filter(i => i < rows.length)
              .map(i => rows[i] as T)
              .filter(free)
            // Unticking one of the whole leaves the rest of this page picked one by one.
            if (selection.isAllMatching && !on) {
              selection.setSelected(
                rows.filter(r => free(r) && !some.includes(r)),
                true,
              )
            } else {
              selection.setSelected(some, on)
            }
          },
        }
      : undefined

  const fields = p.list.output.fields
  const summed = (p.list.output.sums ?? []).filter(k => p.columns.some(c => c.key === k))
  const digits = useMemo(() => decimalPlacesOf(fields, summed, rows), [rows])
  const cells = (s: Readonly<Record<string, number | string>>): Record<string, string> =>
    Object.fromEntries(summed.map(k => [k, formatSum(fields[k], s[k], digits[k])]))
  const ofSome = ticked.count > 0 && !selection.isAllMatching
  const totals: readonly TotalLine[] =
    summed.length && (l.setup.totals ?? true) && l.page
      ? [
          {
            label: ofSome ? `已选 ${formatCount(ticked.count)} 条` : `本页 ${rows.length} 条`,
            cells: cells(
              sumRows(
                fields,
                summed.filter(k => !p.list.output.nonAdditive?.includes(k)),
                ofSome ? picked : rows,
              ),
            ),
            highlighted: ofSome,
          },
          {
            label: `全部 ${formatCount(total)} 条（按当前筛选）`,
            cells: cells(sum),
            highlighted: selection.isAllMatching,
          },
        ]
      : []
  return {
    batch,
    ticks,
    ticked,
    gather,
    totals,
    summed: summed.length > 0,
    mayExport,
    whole: selection.selectAllMatching,
    clear: selection.clear,
  }
}
