import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { hasParts, rowsOnly, totalsOnly } from '#kit/contract/list-parts.ts'
import type { ListQuery, Page } from '#kit/contract/shape.ts'
import { useCall } from '../query.ts'
import { useSession } from '../session.ts'

/** Totals older than this are read again with another page of the same filter. */
const totalsAgeMs = 10_000

type PageRequest = Required<Pick<ListQuery, 'page' | 'size'>> & Pick<ListQuery, 'order'>

export interface ListAnswer<T> {
  /** The request for the rows. */
  readonly answer: UseQueryResult<Page<T>>
  readonly page: Page<T> | undefined
  /** Of all that the filter finds; as long as that is not known, of what is known of it by the rows. */
  readonly total: number
  /** The same, undefined until it is certain. */
  readonly knownTotal: number | undefined
  readonly pages: number
  readonly isTotalKnown: boolean
  readonly areSumsKnown: boolean
  /** Total and sums come by themselves, after the rows. */
  readonly comesInParts: boolean
  readonly isCounting: boolean
  readonly reload: () => void
  /** Where total and sums alone could not be read. */
  readonly retryTotals: (() => void) | undefined
}

/** What is certain of the total by the rows of a page alone: all of it, where they are the last ones. */
export function totalByRows(
  rows: number,
  { page, size }: Pick<PageRequest, 'page' | 'size'>,
): { readonly least: number; readonly isAll: boolean } {
  const before = (page - 1) * size
  return { least: rows ? before + rows : 0, isAll: rows < size && (rows > 0 || page === 1) }
}

/** Both halves of a page of a list as one, as far as they are there and belong to the same conditions. */
export function joinParts(
  rowCount: number | undefined,
  totals: Pick<Page<never>, 'total'> | undefined,
  pageRequest: Pick<PageRequest, 'page' | 'size'>,
): Pick<ListAnswer<never>, 'total' | 'pages' | 'isTotalKnown'> {
  const byRows = totalByRows(rowCount ?? 0, pageRequest)
  const isEnd = rowCount !== undefined && byRows.isAll
  const total = isEnd ? byRows.least : Math.max(totals?.total ?? 0, byRows.least)
  const isTotalKnown = isEnd || totals !== undefined
  // A full page may have another one behind it.
  const pages = isTotalKnown
    ? Math.max(1, Math.ceil(total / pageRequest.size))
    : pageRequest.page + (rowCount === pageRequest.size ? 1 : 0)
  return { total, pages, isTotalKnown }
}

/** Whether the rows that still stand were found by other conditions, and not only on another page. */
function useAreRowsOfOthers(answer: UseQueryResult<unknown>, conditions: unknown): boolean {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const key = JSON.stringify([conditions, project])
  const keyOfRows = useRef(key)
  useEffect(() => {
    if (!answer.isPlaceholderData) {
      keyOfRows.current = key
    }
  }, [answer.isPlaceholderData, key])
  return answer.isPlaceholderData && keyOfRows.current !== key
}

/**
 * A page of a list. Where the list has parts (`inParts`), both are asked for at the same moment, and the rows
 * stand as soon as they are there; total and sums come beside them and stay while one leafs through pages.
 */
export function useListAnswer<I, T>(
  list: Call<I, Page<T>>,
  conditions: I,
  pageRequest: PageRequest,
): ListAnswer<T> {
  const comesInParts = hasParts(list)
  // What the server refuses is shown in a toast as well (0§8).
  const answer = useCall(list, { ...conditions, ...pageRequest, ...rowsOnly(list) }, { keepPrevious: true })
  const totals = useCall(list, { ...conditions, ...totalsOnly(list) }, { enabled: comesInParts, quiet: true })
  const { page, size } = pageRequest
  const found = answer.data
  const areRowsOfOthers = useAreRowsOfOthers(answer, conditions)
  const all = areRowsOfOthers ? undefined : totals.data
  // Rows of another page say nothing of the total.
  const joined = joinParts(answer.isPlaceholderData ? undefined : found?.rows.length, all, pageRequest)
  const isBeyondEnd = found?.rows.length === 0 && !answer.isPlaceholderData && page > 1
  const { dataUpdatedAt: countedAt } = totals
  useEffect(() => {
    const isOld = answer.isFetching && Date.now() - countedAt > totalsAgeMs
    if (comesInParts && countedAt && (isOld || (isBeyondEnd && countedAt < answer.dataUpdatedAt))) {
      void totals.refetch({ cancelRefetch: false })
    }
  }, [page, size, isBeyondEnd])
  const total = comesInParts ? joined.total : (found?.total ?? 0)
  const isTotalKnown = comesInParts ? joined.isTotalKnown : !answer.isPending
  const sum = comesInParts ? all?.sum : found?.sum
  return {
    answer,
    page: useMemo(() => found && { rows: found.rows, total, ...(sum ? { sum } : {}) }, [found, total, sum]),
    total,
    pages: comesInParts ? joined.pages : Math.max(1, Math.ceil(total / size)),
    knownTotal: isTotalKnown ? total : undefined,
    isTotalKnown,
    areSumsKnown: !comesInParts || all !== undefined,
    comesInParts,
    isCounting: comesInParts && totals.isFetching,
    reload: () => void Promise.all([answer.refetch(), comesInParts && totals.refetch()]),
    retryTotals:
      comesInParts && totals.isError && !totals.isFetching ? () => void totals.refetch() : undefined,
  }
}
