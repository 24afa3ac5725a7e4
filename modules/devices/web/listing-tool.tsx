import { ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import type { Column } from '#kit/web/columns.tsx'
import { RowActions, useAllowedActions, type Actions } from '#kit/web/action.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { SearchInput } from '#kit/web/search-input.tsx'
import { DataTable, type RowKey, type SortOrder } from '#kit/web/table/data-table.tsx'
import { stateTexts } from './command-state.ts'
import { CommandProgress, ListingState } from './command-progress.tsx'
import type { useListing } from './use-listing.ts'

interface ListingToolProps<T> {
  readonly label: string
  readonly listing: ReturnType<typeof useListing<T>>
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => RowKey
  /** What the search box looks through. */
  readonly searched: (row: T) => string
  readonly compare: (a: T, b: T, key: string) => number
  readonly initialOrder: SortOrder
  readonly actions: (row: T) => Actions
  /** The last command on a row. */
  readonly lastTaskNo: string | undefined
}

function useShownRows<T>(
  { listing, searched, compare }: ListingToolProps<T>,
  keyword: string,
  order: SortOrder | undefined,
): readonly T[] {
  return useMemo(() => {
    const text = keyword.trim().toLowerCase()
    const found = (listing.rows ?? []).filter(row => searched(row).toLowerCase().includes(text))
    if (!order) return found
    const sign = order.descending ? -1 : 1
    return found.toSorted((a, b) => sign * compare(a, b, order.key))
  }, [listing.rows, keyword, order])
}

/** Rows of a site's computer with what can be done to each. */
export function ListingTool<T>(props: ListingToolProps<T>) {
  const { label, listing, columns, keyOf, actions, lastTaskNo } = props
  const [keyword, setKeyword] = useState('')
  const [order, setOrder] = useState<SortOrder | undefined>(props.initialOrder)
  const allowed = useAllowedActions()
  const rows = useShownRows(props, keyword, order)
  const { running } = listing
  const isFailed = running?.state === 'failed' || running?.state === 'timedOut'
  const drawPlaceholder = (): ReactNode => {
    if (listing.rows) return <Empty text={keyword ? '无符合条件的记录' : `暂无${label}`} />
    if (running && isFailed)
      return (
        <ErrorState
          error={new Error(running.reason ?? stateTexts[running.state][1])}
          onRetry={listing.refresh}
        />
      )
    return <RowSkeleton rows={8} />
  }
  return (
    <div className="remote-tool">
      <div className="remote-bar">
        <SearchInput
          aria-label={`搜索${label}`}
          placeholder={`搜索${label}`}
          value={keyword}
          onChange={event => setKeyword(event.target.value)}
        />
        <Button
          icon={<ReloadOutlined />}
          aria-label="刷新"
          loading={listing.isBusy}
          onClick={listing.refresh}
        >
          刷新
        </Button>
        <span className="remote-count" role="status">
          {listing.rows && `共 ${formatCount(rows.length)} 条`}
        </span>
        {(listing.rows || !isFailed) && <ListingState command={running} />}
      </div>
      {listing.note && <p className="remote-note">{listing.note}</p>}
      <CommandProgress taskNo={lastTaskNo} />
      <div className="remote-table">
        <DataTable
          rows={rows}
          columns={columns}
          keyOf={keyOf}
          label={label}
          dense
          order={order}
          onOrder={setOrder}
          busy={listing.isBusy}
          actions={row => <RowActions actions={allowed(actions(row))} />}
          placeholder={rows.length ? undefined : drawPlaceholder()}
        />
      </div>
    </div>
  )
}
