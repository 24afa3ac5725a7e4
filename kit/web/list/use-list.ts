import { useEffect, useMemo, useRef } from 'react'
import type { FilterValues } from '../filters/filter-kinds.tsx'
import { basePageSize, maxPageSize, pageSizesFor } from '../paginator.tsx'
import { useSession } from '../session.ts'
import type { SortOrder } from '../table/data-table.tsx'
import { useStableCallbacks } from '../use-stable-callbacks.ts'
import type { ColumnPreferences } from './column-preferences.ts'
import type { ListProps } from './list-props.ts'
import type { ListState } from './list-address.ts'
import { conditionsOfView, isChangedFrom, isFilterEmpty, viewParamFor, type ListView } from './list-views.tsx'
import { searchPlaceholderOf, useListFilters } from './use-list-filters.ts'
import { useListAnswer } from './use-list-answer.ts'
import { useListColumns } from './use-list-columns.ts'
import { useEffectiveListState, useListView, type ViewProps } from './use-list-view.ts'
import { useWindowHeight } from './use-size.ts'

export { useEffectiveListState } from './use-list-view.ts'

/** Rows of a page by default: one and a half times what fits the window. */
const defaultFactor = 1.5
const embeddedPageSize = 10
const embeddedPageSizes = [10, 20, 50, 100]
const noRows: readonly never[] = []

interface Paging {
  readonly size: number
  readonly pages: number
  /** Rows that fit the window. */
  readonly base: number
  readonly embedded: boolean
}

/** Everything that changes what a list shows. The same functions for the life of the list. */
function useListActions(context: ReturnType<typeof useListView>, { size, pages, base, embedded }: Paging) {
  const { urlState, setUrlState, saved, setSaved, view } = context
  const { filter, keyword, order } = context.state
  const setConditions = (patch: Partial<Pick<ListState, 'filter' | 'keyword' | 'order'>>): void => {
    const next = { filter, keyword, order, ...patch }
    setUrlState({ ...next, view: viewParamFor(next, view) })
  }
  const showView = (v: ListView): void =>
    setUrlState({ view: v.id || undefined, filter: v.filter, keyword: v.keyword ?? '', order: v.order })
  return useStableCallbacks({
    setFilter: (patch: FilterValues) => {
      const values = Object.entries({ ...filter, ...patch }).filter(([, v]) => v !== undefined)
      setConditions({ filter: Object.fromEntries(values) })
    },
    clearConditions: () => setConditions({ filter: {}, keyword: '' }),
    resetToView: () => showView(view),
    setKeyword: (text: string) => setConditions({ keyword: text }),
    setOrder: (next: SortOrder | undefined) =>
      setConditions({ order: next && `${next.descending ? '-' : ''}${next.key}` }),
    goToPage: (page: number, nextSize: number) => {
      setUrlState({ page, size: nextSize === size ? urlState.size : nextSize })
      if (nextSize !== size && !embedded) {
        setSaved({ ...saved, factor: nextSize / base })
      }
    },
    stepPage: (step: 1 | -1) => {
      const page = urlState.page + step
      if (page >= 1 && page <= pages) {
        setUrlState({ page })
      }
    },
    setColumnPreferences: (columns: ColumnPreferences) =>
      setSaved(
        view.own
          ? { ...saved, views: saved.views.map(v => (v.id === view.id ? { ...v, columns } : v)) }
          : { ...saved, columns },
      ),
    chooseView: (v: ListView) => showView({ ...v, ...conditionsOfView(v, view, context.state) }),
    saveView: (name: string, replaced?: ListView) => {
      const id = replaced?.id ?? `v${Date.now().toString(36)}`
      const savedView: ListView = { id, name, filter, keyword, order, columns: view.columns ?? saved.columns }
      const views = replaced
        ? saved.views.map(v => (v.id === id ? savedView : v))
        : [...saved.views, savedView]
      setSaved({ ...saved, views })
      setUrlState({ view: id, filter, keyword, order })
    },
    removeView: (removed: ListView) => {
      setSaved({ ...saved, views: saved.views.filter(v => v.id !== removed.id) })
      setUrlState({ view: undefined, filter: {}, keyword: '', order: undefined })
    },
  })
}

/** Buildings of one project mean nothing in another: such filters are cleared when the project changes. */
function useClearOnProjectChange(
  { list }: Pick<ListProps<any, any>, 'list'>,
  { state, setUrlState }: ReturnType<typeof useListView>,
): void {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const previousProject = useRef(project)
  useEffect(() => {
    if (previousProject.current === project) return
    previousProject.current = project
    const ownConditions = Object.entries(state.filter).filter(([k]) => list.output.fields[k]?.kind !== 'ref')
    setUrlState({ page: 1, filter: Object.fromEntries(ownConditions) })
  }, [project])
}

/**
 * What a list is asked now, less its order and page, as its own call takes it: for totals of the same filter.
 */
export function useListConditions<I>(p: ViewProps & Pick<ListProps<I, any>, 'list'>) {
  const { filter, keyword } = useEffectiveListState(p)
  return { filter, keyword, conditions: { ...filter, ...(keyword ? { keyword } : {}) } as I }
}

/** What a list asks for and how it is shown: filter, view, order, page, columns. */
export function useList<I, T>(props: ListProps<I, T>) {
  const { list, embedded = false } = props
  const height = useWindowHeight()
  const context = useListView(props)
  const { urlState, setUrlState, saved, views, view, state, columnPreferences } = context
  const { filter, keyword, order } = state

  const base = basePageSize(height)
  const windowSize = Math.min(maxPageSize, Math.round(base * (saved.factor ?? defaultFactor)))
  const size = urlState.size ?? (embedded ? (props.pageSize ?? embeddedPageSize) : windowSize)
  const sizes = useMemo(() => (embedded ? embeddedPageSizes : pageSizesFor(base)), [embedded, base])
  const conditions = { ...props.fixedFilter, ...filter, ...(keyword ? { keyword } : {}) } as I
  const inOrder = order ? { order } : {}
  const request: I = { ...conditions, ...inOrder }
  const read = useListAnswer(list, conditions, { page: urlState.page, size, ...inOrder })
  const { answer, page, pages } = read
  // When the last rows of the last page are deleted, the page before it is shown.
  useEffect(() => {
    if (page && !answer.isPlaceholderData && read.isTotalKnown && urlState.page > pages) {
      setUrlState({ page: pages })
    }
  }, [page, read.isTotalKnown])
  const actions = useListActions(context, { size, pages, base, embedded })
  useClearOnProjectChange(props, context)
  return {
    state,
    request,
    fixedFilter: (props.fixedFilter ?? {}) as FilterValues,
    ...read,
    rows: page?.rows ?? noRows,
    size,
    sizes,
    views,
    view,
    columnPreferences,
    ...useListColumns(props.columns, columnPreferences),
    ...useListFilters(props),
    actions,
    keywordPlaceholder: props.keywordPlaceholder ?? searchPlaceholderOf(list),
    hasNoConditions: isFilterEmpty(filter) && !keyword,
    isChanged: isChangedFrom(state, { ...view, columns: undefined }),
    order: sortOrderOf(order),
  }
}

const sortOrderOf = (order: string | undefined): SortOrder | undefined =>
  order ? { key: order.replace(/^-/, ''), descending: order.startsWith('-') } : undefined
