import { parseId, type Id } from '#kit/domain/id.ts'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import { RowSkeleton, ErrorState } from '../list/list-states.tsx'
import { useCall } from '../query.ts'
import { useTabTitle } from '../tab.ts'
import { LazyTabs } from '../lazy-tabs.tsx'
import { FooterActions, useAllowedActions, type Actions } from '../action.tsx'
import { DetailPanel, type DetailGroup } from './detail-panel.tsx'
import { History } from './history.tsx'
import './detail.css'

interface DetailPageProps<T> {
  /** Called with the `id` of the address, or the one given. */
  readonly loadCall: Call<{ readonly id: Id }, T>
  readonly id?: Id
  readonly title: (row: T) => string
  readonly status?: (row: T) => ReactNode
  readonly groups?: readonly DetailGroup<T>[]
  readonly tabs?: readonly {
    readonly key: string
    readonly label: string
    readonly body: (row: T) => ReactNode
  }[]
  /** Shows 变更; the entity's name. */
  readonly historyEntity?: string
  readonly actions?: (row: T) => Actions
  readonly footer?: ReactNode
  /** Under the groups, in the first tab. */
  readonly afterGroups?: (row: T) => ReactNode
}

/** One record as a page of its own: a bar with name, state and actions, then its fields (screens.md §5). */
export function DetailPage<T extends { readonly id: Id }>({
  loadCall,
  title,
  status,
  groups,
  tabs = [],
  historyEntity,
  actions,
  footer,
  id: idProp,
  afterGroups,
}: DetailPageProps<T>) {
  const [params] = useSearchParams()
  const id = idProp ?? parseId(params.get('id'))
  const allowedActions = useAllowedActions()
  const query = useCall(loadCall, { id }, { quiet: true, enabled: id > 0 })
  const row = query.data
  useTabTitle(row && title(row))
  if (id <= 0)
    return <ErrorState error={new Error('链接无效，请从列表重新打开')} onRetry={() => location.reload()} />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!row) return <RowSkeleton rows={8} width={[80, 200, 80, 160]} />
  const main = (
    <>
      <DetailPanel fields={loadCall.output.fields} row={row} groups={groups} entity={historyEntity} />
      {afterGroups?.(row)}
    </>
  )
  const allTabs = [
    ...tabs.map(t => ({ key: t.key, label: t.label, children: t.body(row) })),
    ...(historyEntity
      ? [{ key: 'history', label: '变更', children: <History entity={historyEntity} id={row.id} /> }]
      : []),
  ]
  return (
    <div className="detail-page">
      <header>
        <h2>{title(row)}</h2>
        {status?.(row)}
        <span className="spring" />
        <FooterActions actions={allowedActions(actions?.(row) ?? [])} />
      </header>
      <div className="scroll">
        {allTabs.length ? (
          <LazyTabs items={[{ key: 'main', label: '详情', children: main }, ...allTabs]} />
        ) : (
          main
        )}
      </div>
      {footer}
    </div>
  )
}
