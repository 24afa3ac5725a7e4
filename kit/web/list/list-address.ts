import { defined } from '#kit/domain/defined.ts'
import { useCallback, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { validateValue } from '#kit/contract/value.ts'
import type { FilterValues } from '../filters/filter-kinds.tsx'

/** The state of a list that is part of its address. */
export interface ListState {
  readonly filter: FilterValues
  readonly keyword: string
  readonly order: string | undefined
  readonly page: number
  readonly size: number | undefined
  readonly view: string | undefined
}

export const initialListState: ListState = {
  filter: {},
  keyword: '',
  order: undefined,
  page: 1,
  size: undefined,
  view: undefined,
}

const reservedParams = new Set(['page', 'size', 'keyword', 'order', 'view'])

/** Members of the search that are filters: all but paging, sorting, keyword and project. */
export const filterFields = (list: Call): Fields =>
  Object.fromEntries(
    Object.entries(list.input.fields).filter(([k]) => !reservedParams.has(k) && k !== 'projectCode'),
  )

const encodeParam = (v: unknown): string => {
  if (Array.isArray(v)) return v.join(',')
  return typeof v === 'boolean' ? String(Number(v)) : String(v)
}

function parseParam(text: string, field: Field): unknown {
  switch (field.kind) {
    case 'choices':
    case 'list':
      return text.split(',').filter(t => t !== '' && (!field.choices || Object.hasOwn(field.choices.rows, t)))
    case 'int':
    case 'money':
    case 'id':
      return Number(text)
    case 'flag':
      return text === '1'
    default:
      return text
  }
}

function decodeParam(text: string, field: Field): unknown {
  const value = parseParam(text, field)
  // Anybody can type an address: what the server would refuse is left out.
  return Number.isNaN(value) ||
    (Array.isArray(value) && !value.length) ||
    validateValue({ ...field, required: false }, value)
    ? undefined
    : value
}

const positiveInt = (text: string | null): number | undefined => {
  const n = Number(text)
  return text && Number.isInteger(n) && n > 0 ? n : undefined
}

export function readListState(search: string, fields: Fields): ListState {
  const params = new URLSearchParams(search)
  const filter: Record<string, unknown> = {}
  for (const fieldKey in fields) {
    const text = params.get(fieldKey)
    const v = text === null ? undefined : decodeParam(text, defined(fields[fieldKey]))
    if (v !== undefined) {
      filter[fieldKey] = v
    }
  }
  return {
    filter,
    keyword: (params.get('keyword') ?? '').slice(0, 100),
    order: params.get('order') ?? undefined,
    page: positiveInt(params.get('page')) ?? 1,
    size: positiveInt(params.get('size')),
    view: params.get('view') ?? undefined,
  }
}

/** The query string of a list state; parameters of others stay. */
export function writeListState(search: string, fields: Fields, query: ListState): string {
  const params = new URLSearchParams(search)
  const put = (fieldKey: string, value: unknown): void => {
    if (value === undefined || value === '' || (Array.isArray(value) && !value.length)) {
      params.delete(fieldKey)
    } else {
      params.set(fieldKey, encodeParam(value))
    }
  }
  for (const k in fields) {
    put(k, query.filter[k])
  }
  put('keyword', query.keyword)
  put('order', query.order)
  put('view', query.view)
  put('size', query.size)
  put('page', query.page > 1 ? query.page : undefined)
  return params.toString()
}

/**
 * The filter of a list as an address, for links from a figure to the rows it counts: `/room?state=vacant`.
 */
export const listLink = (
  path: string,
  list: Call,
  filter: FilterValues,
  rest: Partial<ListState> = {},
): string => {
  const text = writeListState('', filterFields(list), { ...initialListState, ...rest, filter })
  return text ? `${path}?${text}` : path
}

/** Members of the search that a list reads from its address: not those that its screen settles. */
export const addressFields = (
  list: Call,
  { filters, fixedFilter = {} }: { readonly filters?: readonly string[]; readonly fixedFilter?: object },
): Fields =>
  Object.fromEntries(
    Object.entries(filterFields(list)).filter(
      ([key]) => !filters || filters.includes(key) || !Object.hasOwn(fixedFilter, key),
    ),
  )

/**
 * The list state in the address or (in a detail, a dialog) in memory. Changing the filter goes back to page
 * 1. `settled`: keys of the search that its screen settles, whatever the address says.
 */
export function useListState(
  list: Call,
  embedded: boolean,
  settled: Parameters<typeof addressFields>[1] = {},
): [q: ListState, set: (patch: Partial<ListState>) => void] {
  const location = useLocation()
  const navigate = useNavigate()
  const keys = Object.keys(addressFields(list, settled)).join()
  const fields = useMemo(() => addressFields(list, settled), [list, keys])
  const [memoryState, setMemoryState] = useState(initialListState)
  const fromUrl = useMemo(() => readListState(location.search, fields), [location.search, fields])
  const query = embedded ? memoryState : fromUrl
  const set = useCallback(
    (patch: Partial<ListState>): void => {
      const resetsPage =
        patch.page === undefined &&
        (patch.filter !== undefined ||
          patch.keyword !== undefined ||
          patch.order !== undefined ||
          patch.size !== undefined)
      const next = (previous: ListState): ListState => ({
        ...previous,
        ...(resetsPage ? { page: 1 } : {}),
        ...patch,
      })
      if (embedded) {
        setMemoryState(next)
        return
      }
      const text = writeListState(location.search, fields, next(readListState(location.search, fields)))
      void navigate(
        { pathname: location.pathname, search: text ? `?${text}` : '', hash: location.hash },
        { replace: true, state: location.state, preventScrollReset: true },
      )
    },
    [location, embedded, fields, navigate],
  )
  return [query, set]
}
