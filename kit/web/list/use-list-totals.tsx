import { useEffect, useMemo, type ReactNode } from 'react'
import { pathOf } from '#kit/contract/call.ts'
import { measureText } from '../cell-renderers.tsx'
import { formatCount } from '../numbers.tsx'
import type { Counting } from '../paginator.tsx'
import type { TotalLine } from '../table/data-table.tsx'
import type { ListProps } from './list-props.ts'
import { reservedWidth, useListReserve, withTotals } from './list-reserve.ts'
import { PendingCount } from './pending-count.tsx'
import { decimalPlacesOf, formatSum, shownTotals, sumRows, type SelectedRows } from './selection.ts'
import type { useList } from './use-list.ts'

type Widths = Readonly<Record<string, number>>
type Cells = Readonly<Record<string, string>>
type SummedList<I, T> = Pick<
  ReturnType<typeof useList<I, T>>,
  | 'answer'
  | 'rows'
  | 'total'
  | 'pages'
  | 'page'
  | 'size'
  | 'state'
  | 'columnPreferences'
  | 'comesInParts'
  | 'isTotalKnown'
  | 'areSumsKnown'
  | 'retryTotals'
>

const widthsOf = (cells: Cells): Widths => {
  const entries = Object.entries(cells)
  return Object.fromEntries(entries.map(([key, text]) => [key, measureText(text, true)]))
}

/**
 * Room for the sums of a list in parts, by what they needed when it was last counted. It changes with the
 * rows alone: totals that come find their room, and move nothing.
 */
function useReservedWidths<I, T>(
  props: ListProps<I, T>,
  list: SummedList<I, T>,
  summedKeys: readonly string[],
  pageCells: Cells,
  cells: Cells | undefined,
): { readonly pendingLike: number; readonly reservedWidths: Widths | undefined } {
  const reserve = useListReserve(props.settingsKey ?? pathOf(props.list))
  const { comesInParts, rows, total, size } = list
  const isPending = list.answer.isPending && !props.embedded
  // Where the page is all there is, its own sums are those of the filter.
  const isWhole = !isPending && list.state.page === 1 && rows.length < size
  const widths = cells && widthsOf(cells)
  const reservedWidths = useMemo(() => {
    if (!comesInParts || isWhole) return undefined
    const stored = widths ? withTotals(reserve.read(), total, widths) : reserve.read()
    return Object.fromEntries(summedKeys.map(key => [key, reservedWidth(stored, key, pageCells[key])]))
  }, [rows, isWhole])
  useEffect(() => {
    if (comesInParts && widths) {
      reserve.save(withTotals(reserve.read(), total, widths))
    }
  }, [comesInParts, total, widths && JSON.stringify(widths)])
  return { pendingLike: reserve.read().total, reservedWidths }
}

function labelOfAll<I, T>(list: SummedList<I, T>, pendingLike: number): ReactNode {
  if (list.isTotalKnown) return `全部 ${formatCount(list.total)} 条（按当前筛选）`
  if (list.retryTotals) return '全部条数与合计未取得'
  return (
    <>
      全部 <PendingCount like={pendingLike} /> 条（按当前筛选）
    </>
  )
}

/** The line of everything that the filter finds; where it comes late, its place is there before it. */
function lineOfAll<I, T>(
  list: SummedList<I, T>,
  cells: Cells,
  pageCells: Cells,
  reserved: { readonly pendingLike: number; readonly reservedWidths: Widths | undefined },
): TotalLine {
  const label = labelOfAll(list, reserved.pendingLike)
  if (!list.comesInParts) return { label, cells }
  if (list.areSumsKnown || list.retryTotals) return { label, cells, isLate: true }
  return {
    label,
    cells: pageCells,
    isLate: true,
    pendingWidths: Object.fromEntries(
      Object.entries(widthsOf(pageCells)).map(([key, width]) => [
        key,
        Math.max(width, reserved.reservedWidths?.[key] ?? 0),
      ]),
    ),
  }
}

/**
 * The two lines of totals: of the selected rows, or of the page, and of everything the filter finds (from the
 * server). A figure that cannot be added up has no total of some rows, nor have rows that the filter's totals
 * count in part.
 */
export function useListTotals<I, T>(
  props: ListProps<I, T>,
  list: SummedList<I, T>,
  selected: SelectedRows<T, I>,
): {
  readonly totals: readonly TotalLine[]
  readonly hasTotals: boolean
  readonly reservedWidths: Widths | undefined
  /** As long as the total is not known: for the pager. */
  readonly counting: Counting | undefined
} {
  const { rows, page } = list
  const { fields, sums, nonAdditive } = props.list.output
  const summedKeys = (sums ?? []).filter(k => props.columns.some(c => c.key === k))
  const digits = useMemo(() => decimalPlacesOf(fields, summedKeys, rows), [rows])
  const cellsOf = (figures: Readonly<Record<string, number | string>>): Cells =>
    Object.fromEntries(
      Object.entries(shownTotals(figures, summedKeys, rows)).map(([k, figure]) => [
        k,
        formatSum(fields[k], figure, digits[k]),
      ]),
    )
  const additiveKeys = summedKeys.filter(key => !nonAdditive?.includes(key))
  const pageCells = cellsOf(sumRows(fields, additiveKeys, rows))
  const cells = cellsOf(page?.sum ?? {})
  const reserved = useReservedWidths(
    props,
    list,
    summedKeys,
    pageCells,
    page && list.areSumsKnown ? cells : undefined,
  )
  const hasTotals = summedKeys.length > 0
  // Where counting failed as well: the rows still tell that a page follows.
  const isCounting = list.comesInParts && !list.isTotalKnown
  const { pendingLike } = reserved
  const counting = useMemo(
    () => (isCounting ? { pages: list.pages, like: pendingLike } : undefined),
    [isCounting, list.pages, pendingLike],
  )
  const answered = { hasTotals, counting }
  if (!hasTotals || !page || !(list.columnPreferences.totals ?? true))
    return { ...answered, totals: [], reservedWidths: undefined }
  const isAllMatching = selected.allMatching !== undefined
  const ofSelected = selected.count > 0 && !isAllMatching
  return {
    ...answered,
    reservedWidths: reserved.reservedWidths,
    totals: [
      {
        label: ofSelected ? `已选 ${formatCount(selected.count)} 条` : `本页 ${rows.length} 条`,
        cells: ofSelected ? cellsOf(sumRows(fields, additiveKeys, selected.rows)) : pageCells,
        highlighted: ofSelected,
      },
      { ...lineOfAll(list, cells, pageCells, reserved), highlighted: isAllMatching },
    ],
  }
}
