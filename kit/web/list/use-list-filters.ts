import { useMemo } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { filterKinds } from '../filters/filter-kinds.tsx'
import type { ListFilter } from './filter-bar.tsx'
import type { ListProps } from './list-props.ts'

const barKinds = new Set(['choice', 'choices', 'ref', 'flag'])
const defaultBarFilters = 3
const maxNamedFields = 4

/** The filters of a list in order, and the names of those that are in the bar. */
export function useListFilters(
  props: Pick<ListProps<any, any>, 'list' | 'filters' | 'extraFilterFields' | 'barFilters'>,
): { readonly filters: readonly ListFilter[]; readonly barFilters: readonly string[] } {
  const { list } = props
  const names = props.filters ?? list.input.filters ?? []
  const filters = useMemo(
    () =>
      names.flatMap((name): ListFilter[] => {
        const field = list.output.fields[name] ?? props.extraFilterFields?.[name] ?? list.input.fields[name]
        return field && filterKinds[field.kind].keys(name).length ? [{ name, field }] : []
      }),
    [list, names.join()],
  )
  const barFilters = useMemo(() => {
    const suitable = filters.filter(f => barKinds.has(f.field.kind))
    return props.barFilters ?? suitable.slice(0, defaultBarFilters).map(f => f.name)
  }, [props.barFilters?.join(), filters])
  return { filters, barFilters }
}

/** The labels of the fields that a keyword searches: `房号、姓名、手机`. Empty where there is no keyword. */
export function searchPlaceholderOf(list: Call): string {
  if (!list.input.fields.keyword) return ''
  const searchable = Object.values(list.output.fields).filter(f => f.searchable)
  return [...new Set(searchable.map(f => f.label))].slice(0, maxNamedFields).join('、')
}
