import { useEffect, useMemo } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Call } from '#kit/contract/call.ts'
import type { PartQuery } from '#kit/contract/list-parts.ts'
import type { ListQuery, Page } from '#kit/contract/shape.ts'
import { useCall } from '../query.ts'

/** Totals that are older than the rows by so much are asked for again. */
const totalsAgeMs = 10_000

interface PageRequest {
  readonly page: number
  readonly size: number
}

export interface ListAnswer<T> {
  /** The request for the rows. */
  readonly answer: UseQueryResult<Page<T>>
  readonly page: Page<T> | undefined
  /** Of all that the filter finds; as long as that is not known, of what is known of it. */
  readonly total: number
  readonly isTotalKnown: boolean
  readonly areSumsKnown: boolean
  readonly reload: () => void
  /** Where the totals alone could not be read. */
  readonly retryTotals: (() => void) | undefined
}

type WithInput = Pick<Call, 'input'>

const hasParts = (list: WithInput): boolean => 'part' in list.input.fields

/** What a list is asked for its total alone. */
export const totalsOnly = (list: WithInput): ListQuery & PartQuery =>
  hasParts(list) ? { part: 'totals' } : { page: 1, size: 1 }

/** What is certain of the total by the rows of a page alone: all of it, where they are the last ones. */
export function totalByRows(
  rows: number,
  { page, size }: PageRequest,
): { readonly least: number; readonly isAll: boolean } {
  const before = (page - 1) * size
  return { least: rows ? before + rows : 0, isAll: rows < size && (rows > 0 || page === 1) }
}

/**
 * A page of a list. Where the list has parts (`inParts`), the rows are asked for alone and stand as soon as
 * they are there; total and sums follow, and are kept while one leafs through the pages.
 */
export function useListAnswer<I, T>(
  list: Call<I, Page<T>>,
  conditions: I,
  pageRequest: PageRequest & Pick<ListQuery, 'order'>,
): ListAnswer<T> {
  const inParts = hasParts(list)
  // What the server refuses is shown in a toast as well (0§8).
  const answer = useCall(
    list,
    { ...conditions, ...pageRequest, ...(inParts ? { part: 'rows' } : {}) },
    { keepPrevious: true },
  )
  const totals = useCall(
    list,
    { ...conditions, ...totalsOnly(list) },
    {
      enabled: inParts,
      quiet: true,
    },
  )
  const { dataUpdatedAt: rowsTime } = answer
  useEffect(() => {
    if (totals.dataUpdatedAt && rowsTime - totals.dataUpdatedAt > totalsAgeMs) {
      void totals.refetch()
    }
  }, [rowsTime])
  const found = answer.data
  const all = totals.data
  const byRows = totalByRows(found?.rows.length ?? 0, pageRequest)
  // Rows of another page, or of another filter, say nothing of this one.
  const isEnd = byRows.isAll && found !== undefined && !answer.isPlaceholderData
  const total = !inParts
    ? (found?.total ?? 0)
    : isEnd
      ? byRows.least
      : Math.max(all?.total ?? 0, byRows.least)
  const sum = inParts ? all?.sum : found?.sum
  const page = useMemo(
    () => found && { rows: found.rows, total, ...(sum ? { sum } : {}) },
    [found, total, sum],
  )
  return {
    answer,
    page,
    total,
    isTotalKnown: !inParts || all !== undefined || isEnd,
    areSumsKnown: !inParts || all !== undefined,
    reload: () => void Promise.all([answer.refetch(), inParts && totals.refetch()]),
    retryTotals: totals.isError && !answer.isError ? () => void totals.refetch() : undefined,
  }
}
