import { useMemo } from 'react'
import { formatCount } from '../numbers.tsx'
import type { TotalLine } from '../table/data-table.tsx'
import type { ListProps } from './list-props.ts'
import { decimalPlacesOf, formatSum, shownTotals, sumRows, type SelectedRows } from './selection.ts'
import type { useList } from './use-list.ts'

/**
 * The two lines of totals: of the selected rows, or of the page, and of everything the filter finds (from the
 * server). A figure that cannot be added up has no total of some rows, nor have rows that the filter's totals
 * count in part.
 */
export function useListTotals<I, T>(
  props: ListProps<I, T>,
  list: Pick<ReturnType<typeof useList<I, T>>, 'rows' | 'total' | 'page' | 'columnPreferences'>,
  selected: SelectedRows<T, I>,
): { readonly totals: readonly TotalLine[]; readonly hasTotals: boolean } {
  const { rows, page } = list
  const { fields, sums, nonAdditive } = props.list.output
  const summedKeys = (sums ?? []).filter(k => props.columns.some(c => c.key === k))
  const digits = useMemo(() => decimalPlacesOf(fields, summedKeys, rows), [rows])
  const hasTotals = summedKeys.length > 0
  if (!hasTotals || !page || !(list.columnPreferences.totals ?? true)) return { totals: [], hasTotals }
  const cellsOf = (figures: Readonly<Record<string, number | string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(shownTotals(figures, summedKeys, rows)).map(([k, figure]) => [
        k,
        formatSum(fields[k], figure, digits[k]),
      ]),
    )
  const isAllMatching = selected.allMatching !== undefined
  const ofSelected = selected.count > 0 && !isAllMatching
  const someRows = ofSelected ? selected.rows : rows
  const additiveKeys = summedKeys.filter(key => !nonAdditive?.includes(key))
  return {
    hasTotals,
    totals: [
      {
        label: ofSelected ? `已选 ${formatCount(selected.count)} 条` : `本页 ${rows.length} 条`,
        cells: cellsOf(sumRows(fields, additiveKeys, someRows)),
        highlighted: ofSelected,
      },
      {
        label: `全部 ${formatCount(list.total)} 条（按当前筛选）`,
        cells: cellsOf(page.sum ?? {}),
        highlighted: isAllMatching,
      },
    ],
  }
}
