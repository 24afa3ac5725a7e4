import type { Id } from '#kit/domain/id.ts'
import type { ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { useAddressedRecord } from '../addressed-record.tsx'
import { useAddressValue } from '../address-value.ts'
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

/** One record as a page of its own: a bar with name, state and actions, then its fields. */
export function DetailPage<T extends { readonly id: Id }>({
  loadCall,
  title,
  status,
  groups,
  tabs = [],
  historyEntity,
  actions,
  footer,
  id,
  afterGroups,
}: DetailPageProps<T>) {
  const allowedActions = useAllowedActions()
  const [tab, setTab] = useAddressValue('tab')
  const { record: row, placeholder } = useAddressedRecord(loadCall, {
    ...(id === undefined ? {} : { id }),
    tabTitle: title,
    width: [80, 200, 80, 160],
  })
  if (!row) return placeholder
  const main = (
    <>
      <DetailPanel
        fields={loadCall.output.fields}
        row={row}
        groups={groups}
        entity={historyEntity ?? loadCall.output.entity}
      />
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
          <LazyTabs
            items={[{ key: 'main', label: '详情', children: main }, ...allTabs]}
            {...(id === undefined ? { active: tab ?? 'main', onActive: setTab } : {})}
          />
        ) : (
          main
        )}
      </div>
      {footer}
    </div>
  )
}
