import { useEffect, useMemo, useRef } from 'react'
import { pathOf, type Call } from '#kit/contract/call.ts'
import type { Column } from '../columns.tsx'
import { filterKinds, type FilterValues } from '../filters/filter-kinds.tsx'
import { basePageSize, maxPageSize, pageSizesFor } from '../paginator.tsx'
import { useCall } from '../query.ts'
import { useSession } from '../session.ts'
import { useSetting } from '../user-settings.ts'
import { useStableCallbacks } from '../use-stable-callbacks.ts'
import type { SortOrder } from '../table/data-table.tsx'
import { isShown, noPreferences, orderColumns, type ColumnPreferences } from './column-settings.tsx'
import type { ListFilter } from './filter-bar.tsx'
import type { ListProps } from './list-props.ts'
import { useListState, type ListState } from './list-state.ts'
import { isChangedFrom, isFilterEmpty, effectiveState, viewParamFor, type ListView } from './list-views.tsx'
import { useWindowHeight } from './use-size.ts'

/**
 * What a person keeps of one list: columns, views, and the page size as a multiple of what fits the window.
 */
interface SavedListSettings {
  readonly columns: ColumnPreferences
  readonly views: readonly ListView[]
  readonly factor?: number
}

const noSavedSettings: SavedListSettings = { columns: noPreferences, views: [] }
const choiceKinds = new Set(['choice', 'choices', 'ref', 'flag'])

/** What the keyword box looks for, in words: `房号、姓名、手机`. */
const searchPlaceholderOf = (list: Call): string =>
  list.input.fields.keyword
    ? [
        ...new Set(
          Object.values(list.output.fields)
            .filter(f => f.searchable)
            .map(f => f.label),
        ),
      ]
        .slice(0, 4)
        .join('、')
    : ''

type ViewProps = Pick<ListProps<any, any>, 'list' | 'settingsKey' | 'views' | 'itemName' | 'embedded'>

/** The address of a list, its views with a person's own among them, and which of them it names. */
function useView(p: ViewProps) {
  const [q, setQ] = useListState(p.list, p.embedded ?? false)
  const [kept, setKept] = useSetting<SavedListSettings>(
    `list/${p.settingsKey ?? pathOf(p.list)}`,
    noSavedSettings,
  )
  const views = useMemo<ListView[]>(() => {
    const given = p.views?.length ? p.views : [{ id: '', name: `全部${p.itemName}`, filter: {} }]
    return [...given, ...kept.views.map(v => ({ ...v, own: true }))]
  }, [kept.views, p.views, p.itemName])
  const view = views.find(v => v.id === (q.view ?? views[0]!.id)) ?? views[0]!
  return { q, setQ, kept, setKept, views, view, now: useMemo(() => effectiveState(q, view), [q, view]) }
}

/** What a list asks for, to whatever stands beside it: totals of the same view. */
export const useEffectiveListState = (p: ViewProps): ListState => useView(p).now

/** What a list asks for and how it is shown: filter, view, order, page, columns. */
export function useList<I, T>(p: ListProps<I, T>) {
  const { list, embedded = false } = p
  const fixed = (p.fixedFilter ?? {}) as FilterValues
  const height = useWindowHeight()
  const { q, setQ, kept, setKept, views, view, now } = useView(p)
  const { filter, keyword, order } = now

  const base = basePageSize(height)
  const usual = embedded ? (p.pageSize ?? 10) : Math.min(maxPageSize, Math.round(base * (kept.factor ?? 1.5)))
  const size = q.size ?? usual
  const sizes = useMemo(() => (embedded ? [10, 20, 50, 100] : pageSizesFor(base)), [embedded, base])
  const asked = { ...fixed, ...filter, ...(keyword ? { keyword } : {}), ...(order ? { order } : {}) } as I
  const answer = useCall(list, { ...asked, page: q.page, size } as I, { keepPrevious: true, quiet: true })
  const page = answer.data
  const rows = page?.rows ?? (none as readonly T[])
  const total = page?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / size))
  // The last rows of the last page are gone: the one before it is shown.
  useEffect(() => {
    if (page && !answer.isPlaceholderData && q.page > pages) {
      setQ({ page: pages })
    }
  }, [page])

  const setup = view.columns ?? kept.columns
  const shown = useMemo<Column<T>[]>(
    () =>
      orderColumns(p.columns, setup)
        .filter(c => isShown(c, setup))
        .map(c => (c.wideOnly && setup.shown?.[c.key] ? { ...c, wideOnly: false } : c)),
    [p.columns, setup],
  )
  const pinned = useMemo(
    () => new Set(setup.pinned ?? p.columns.filter(c => c.identity).map(c => c.key)),
    [p.columns, setup.pinned],
  )

  const names = p.filters ?? list.input.filters ?? []
  const filters = useMemo(
    () =>
      names.flatMap((name): ListFilter[] => {
        const field = list.output.fields[name] ?? p.extraFilterFields?.[name] ?? list.input.fields[name]
        return field && filterKinds[field.kind].keys(name).length ? [{ name, field }] : []
      }),
    [list, names.join()],
  )
  const inBar = useMemo(
    () =>
      p.barFilters ??
      filters
        .filter(f => choiceKinds.has(f.field.kind))
        .slice(0, 3)
        .map(f => f.name),
    [p.barFilters?.join(), filters],
  )
  const put = (patch: Partial<Pick<ListState, 'filter' | 'keyword' | 'order'>>): void => {
    const next = { filter, keyword, order, ...patch }
    setQ({ ...next, view: viewParamFor(next, view) })
  }

  const hands = useStableCallbacks({
    filter: (patch: FilterValues) => {
      const next = Object.fromEntries(
        Object.entries({ ...filter, ...patch }).filter(([, v]) => v !== undefined),
      )
      put({ filter: next })
    },
    clear: () => put({ filter: {}, keyword: '' }),
    reset: () =>
      setQ({
        filter: view.filter,
        keyword: view.keyword ?? '',
        order: view.order,
        view: view.id || undefined,
      }),
    keyword: (text: string) => put({ keyword: text }),
    order: (o: SortOrder | undefined) => put({ order: o && `${o.descending ? '-' : ''}${o.key}` }),
    turn: (to: number, n: number) => {
      setQ({ page: to, size: n === size ? q.size : n })
      if (n !== size && !embedded) {
        setKept({ ...kept, factor: n / base })
      }
    },
    step: (n: 1 | -1) => {
      const to = q.page + n
      if (to >= 1 && to <= pages) {
        setQ({ page: to })
      }
    },
    setup: (columns: ColumnPreferences) =>
      setKept(
        view.own
          ? { ...kept, views: kept.views.map(v => (v.id === view.id ? { ...v, columns } : v)) }
          : { ...kept, columns },
      ),
    choose: (v: ListView) =>
      setQ({ view: v.id || undefined, filter: v.filter, keyword: v.keyword ?? '', order: v.order }),
    save: (name: string, over?: ListView) => {
      const id = over?.id ?? `v${Date.now().toString(36)}`
      const made: ListView = { id, name, filter, keyword, order, columns: setup }
      setKept({
        ...kept,
        views: over ? kept.views.map(v => (v.id === id ? made : v)) : [...kept.views, made],
      })
      setQ({ view: id, filter, keyword, order })
    },
    remove: (v: ListView) => {
      setKept({ ...kept, views: kept.views.filter(x => x.id !== v.id) })
      setQ({ view: undefined, filter: {}, keyword: '', order: undefined })
    },
  })
  // Buildings of one project mean nothing in another: such filters go when the project changes, and the first
  // page comes.
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const was = useRef(project)
  useEffect(() => {
    if (was.current === project) return
    was.current = project
    setQ({
      page: 1,
      filter: Object.fromEntries(
        Object.entries(filter).filter(([k]) => list.output.fields[k]?.kind !== 'ref'),
      ),
    })
  }, [project])
  return {
    q: now,
    asked,
    fixed,
    answer,
    page,
    rows,
    total,
    pages,
    size,
    sizes,
    views,
    view,
    setup,
    shown,
    pinned,
    filters,
    inBar,
    hands,
    sought: p.keywordPlaceholder ?? searchPlaceholderOf(list),
    bare: isFilterEmpty(filter) && !keyword,
    changed: isChangedFrom(now, { ...view, columns: undefined }),
    order: order
      ? ({ key: order.replace(/^-/, ''), descending: order.startsWith('-') } as SortOrder)
      : undefined,
  }
}

const none: readonly never[] = []
