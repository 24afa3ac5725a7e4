import { defined } from '#kit/domain/defined.ts'
import { useEffect, useRef } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { hasParts, totalsOnly } from '#kit/contract/list-parts.ts'
import type { Page } from '#kit/contract/shape.ts'
import { DropdownMenu, ContextMenu } from '../dropdown.tsx'
import type { FilterValues } from '../filters/filter-kinds.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { formatCount } from '../numbers.tsx'
import { useCall } from '../query.ts'
import type { ColumnPreferences } from './column-preferences.ts'
import type { ListState } from './list-address.ts'
import { likeOfView, useListReserve } from './list-reserve.ts'
import { PendingCount } from './pending-count.tsx'
import { useElementWidth } from './use-size.ts'

const SaveView = lazyComponent(() => import('./save-view.tsx').then(m => m.SaveView))

/** A named filter with its order and, once saved by a person, its columns. */
export interface ListView {
  readonly id: string
  readonly name: string
  readonly filter: FilterValues
  readonly keyword?: string | undefined
  readonly order?: string | undefined
  readonly columns?: ColumnPreferences | undefined
  readonly own?: boolean | undefined
}

const conditionsKey = (query: Pick<ListState, 'filter' | 'keyword' | 'order'> | ListView): string =>
  JSON.stringify([
    Object.entries(query.filter)
      .filter(([, v]) => v !== undefined && !(Array.isArray(v) && !v.length))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    query.keyword ?? '',
    query.order ?? '',
  ])

/** In the address: the view's own conditions were removed too. */
const noView = '*'
const hasValue = (v: unknown): boolean => v !== undefined && v !== '' && !(Array.isArray(v) && !v.length)
export const isFilterEmpty = (filter: ListState['filter']): boolean => !Object.values(filter).some(hasValue)

const hasNoConditions = (q: Pick<ListState, 'filter' | 'keyword' | 'order'> | ListView): boolean =>
  !q.keyword && !q.order && isFilterEmpty(q.filter)

/** The state an address means: one that only names a view, or nothing, means the view's own conditions. */
export const effectiveState = (q: ListState, view: ListView): ListState =>
  q.view !== noView && hasNoConditions(q)
    ? { ...q, filter: view.filter, keyword: view.keyword ?? '', order: view.order }
    : q

/** The `view` parameter for these conditions, so that `effectiveState` reads them back. */
export const viewParamFor = (
  q: Pick<ListState, 'filter' | 'keyword' | 'order'>,
  view: ListView,
): string | undefined => (hasNoConditions(q) && !hasNoConditions(view) ? noView : view.id || undefined)

export const isChangedFrom = (q: ListState, v: ListView): boolean => conditionsKey(q) !== conditionsKey(v)

type Conditions = Pick<ListView, 'filter' | 'keyword' | 'order'>

/**
 * The conditions under which a view is chosen and counted: what somebody has filtered beyond the current one
 * stays, so that the tabs divide what is shown. A saved view is exactly as it was saved.
 */
export function conditionsOfView(view: ListView, current: ListView, query: ListState): Conditions {
  if (view.own || view === current) return view
  const added = Object.entries(query.filter).filter(([key]) => !hasValue(current.filter[key]))
  const keyword = view.keyword ?? (current.keyword ? undefined : query.keyword)
  return {
    filter: { ...Object.fromEntries(added), ...view.filter },
    ...(keyword ? { keyword } : {}),
    order: view.order,
  }
}

interface CountOfViewProps {
  readonly list: Call<any, Page<any>>
  readonly settingsKey: string
  readonly id: string
  readonly count: number | undefined
  /** It could not be counted: there is nothing to wait for. */
  readonly hasFailed: boolean
}

/** The count in a tab; that of a list in parts has its place before it is there, and moves no other tab. */
function CountOfView({ list, settingsKey, id, count, hasFailed }: CountOfViewProps) {
  const reserve = useListReserve(settingsKey)
  const isLate = hasParts(list)
  useEffect(() => {
    if (isLate && count !== undefined) {
      const stored = reserve.read()
      reserve.save({ ...stored, views: { ...stored.views, [id]: count } })
    }
  }, [isLate, id, count])
  if (count !== undefined) return <small>{formatCount(count)}</small>
  if (!isLate || hasFailed) return null
  return (
    <small>
      <PendingCount like={likeOfView(reserve.read(), id)} size={13} />
    </small>
  )
}

function ViewCount({
  list,
  settingsKey,
  id,
  conditions: { filter, keyword },
  fixed,
  canCount,
}: Omit<CountOfViewProps, 'count' | 'hasFailed'> & {
  readonly canCount: boolean
  readonly conditions: Conditions
  readonly fixed: object
}) {
  const { data, isError } = useCall(
    list,
    { ...fixed, ...filter, ...(keyword ? { keyword } : {}), ...totalsOnly(list) },
    // Where totals come late, one of another filter is not shown while it is counted.
    {
      quiet: true,
      staleMs: 30_000,
      enabled: canCount || !hasParts(list),
      keepPrevious: !hasParts(list),
      select: p => p.total,
    },
  )
  return <CountOfView list={list} settingsKey={settingsKey} id={id} count={data} hasFailed={isError} />
}

interface ListViewsProps {
  readonly list: Call<any, Page<any>>
  readonly fixed: object
  readonly views: readonly ListView[]
  readonly current: ListView
  readonly query: ListState
  readonly total: number | undefined
  readonly settingsKey: string
  /** The total could not be read. */
  readonly hasFailed: boolean
  /** The rows are there: what counts the other views no longer stands in their way. */
  readonly canCount: boolean
  readonly onChoose: (v: ListView) => void
  readonly onSave: (name: string, replaced?: ListView) => void
  readonly onRemove: (v: ListView) => void
}

/** How many tabs a toolbar has room for, beside 更多 and what saves a changed view. */
export const countOpenViews = (width: number, isChanged: boolean): number =>
  Math.max(1, Math.min(5, Math.floor((width - (isChanged ? 170 : 70)) / 95)))

/** At most five are shown, the others are behind 更多; a changed one shows ●. */
export function ListViews(props: ListViewsProps) {
  const changed = isChangedFrom(props.query, props.current)
  const root = useRef<HTMLDivElement>(null)
  const first = props.views.slice(0, countOpenViews(useElementWidth(root), changed))
  const open = first.includes(props.current) ? first : [...first.slice(0, -1), props.current]
  const hiddenViews = props.views.filter(v => !open.includes(v))
  return (
    <div className="views" ref={root}>
      <div role="tablist" aria-label="视图">
        {open.map(view => {
          const isCurrent = view === props.current
          const tab = (
            <button
              key={view.id}
              type="button"
              role="tab"
              aria-selected={isCurrent}
              className={isCurrent ? 'on' : ''}
              onClick={() => props.onChoose(view)}
            >
              {view.name}
              {isCurrent && changed && (
                <i title="条件已修改，尚未保存" aria-label="已改动">
                  ●
                </i>
              )}
              {isCurrent ? (
                <CountOfView
                  list={props.list}
                  settingsKey={props.settingsKey}
                  id={view.id}
                  count={props.total}
                  hasFailed={props.hasFailed}
                />
              ) : (
                <ViewCount
                  list={props.list}
                  settingsKey={props.settingsKey}
                  id={view.id}
                  canCount={props.canCount}
                  conditions={conditionsOfView(view, props.current, props.query)}
                  fixed={props.fixed}
                />
              )}
            </button>
          )
          return view.own && isCurrent ? (
            <ContextMenu
              key={view.id}
              menu={() => ({
                items: [{ key: 'x', label: '删除视图', danger: true }],
                onClick: () => props.onRemove(view),
              })}
            >
              {tab}
            </ContextMenu>
          ) : (
            tab
          )
        })}
      </div>
      {hiddenViews.length > 0 && (
        <DropdownMenu
          menu={() => ({
            items: hiddenViews.map(v => ({ key: v.id, label: v.name })),
            onClick: ({ key }) => props.onChoose(defined(hiddenViews.find(v => v.id === key))),
          })}
        >
          <button type="button">更多 {hiddenViews.length}</button>
        </DropdownMenu>
      )}
      {props.current.own && changed && (
        <button
          type="button"
          className="quiet"
          onClick={() => props.onSave(props.current.name, props.current)}
        >
          保存
        </button>
      )}
      {props.current.own && !changed && (
        <button type="button" className="quiet" onClick={() => props.onRemove(props.current)}>
          删除视图
        </button>
      )}
      {changed && <SaveView label={props.current.own ? '另存' : '存为视图'} onSave={props.onSave} />}
    </div>
  )
}
