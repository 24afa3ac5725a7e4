import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { pathOf } from '#kit/contract/call.ts'
import { useSetting } from '../user-settings.ts'
import { noPreferences, type ColumnPreferences } from './column-preferences.ts'
import type { ListProps } from './list-props.ts'
import { useListState, type ListState } from './list-address.ts'
import { effectiveState, type ListView } from './list-views.tsx'

/**
 * What a person keeps of one list: columns, views, and the page size as a multiple of what fits the window.
 */
export interface SavedListSettings {
  readonly columns: ColumnPreferences
  readonly views: readonly ListView[]
  readonly factor?: number
}

const noSavedSettings: SavedListSettings = { columns: noPreferences, views: [] }

export type ViewProps = Pick<
  ListProps<any, any>,
  'list' | 'settingsKey' | 'views' | 'itemName' | 'embedded' | 'addressed' | 'filters' | 'fixedFilter'
>

/** The state of a list in its address, its views with the person's own among them, and the current one. */
export function useListView(props: ViewProps) {
  const [urlState, setUrlState] = useListState(props.list, Boolean(props.embedded && !props.addressed), props)
  const [saved, setSaved] = useSetting<SavedListSettings>(
    `list/${props.settingsKey ?? pathOf(props.list)}`,
    noSavedSettings,
  )
  const views = useMemo<ListView[]>(() => {
    const declared = props.views?.length
      ? props.views
      : [{ id: '', name: `全部${/^\w/.test(props.itemName) ? ' ' : ''}${props.itemName}`, filter: {} }]
    return [...declared, ...saved.views.map(v => ({ ...v, own: true }))]
  }, [saved.views, props.views, props.itemName])
  const view = views.find(v => v.id === (urlState.view ?? defined(views[0]).id)) ?? defined(views[0])
  const state = useMemo(() => effectiveState(urlState, view), [urlState, view])
  const columnPreferences = view.columns ?? saved.columns
  return { urlState, setUrlState, saved, setSaved, views, view, state, columnPreferences }
}

/** What a list asks for and shows, for whatever is beside it: totals of the same view, its print. */
export const useEffectiveListState = (
  props: ViewProps,
): ListState & { readonly columnPreferences: ColumnPreferences } => {
  const { state, columnPreferences } = useListView(props)
  return { ...state, columnPreferences }
}
