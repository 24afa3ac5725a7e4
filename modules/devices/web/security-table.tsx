import type { ComponentProps } from 'react'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'

interface SecurityTableProps<T> extends Pick<
  ComponentProps<typeof DataTable<T>>,
  'columns' | 'keyOf' | 'isDimmed'
> {
  readonly query: ComponentProps<typeof Loaded<readonly T[]>>['query']
  readonly label: string
  readonly emptyText: string
}

/** All rows at once: a company has a few of either. */
export const SecurityTable = <T,>({ query, emptyText, ...table }: SecurityTableProps<T>) => (
  <Loaded query={query} height={320} rows={6}>
    {rows => (
      <div className="security-table">
        <DataTable
          {...table}
          rows={rows}
          placeholder={rows.length ? undefined : <Empty text={emptyText} />}
        />
      </div>
    )}
  </Loaded>
)
