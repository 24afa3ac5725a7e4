import { useCallback, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { fault } from '#kit/contract/value.ts'
import type { Asked } from '../filters/kinds.tsx'

/** What a list shows: the part of it that lives in the address. */
export interface Query {
  readonly filter: Asked
  readonly keyword: string
  readonly order: string | undefined
  readonly page: number
  readonly size: number | undefined
  readonly view: string | undefined
}

export const noQuery: Query = {
  filter: {},
  keyword: '',
  order: undefined,
  page: 1,
  size: undefined,
  view: undefined,
}

const ours = new Set(['page', 'size', 'keyword', 'order', 'view'])

/** Members of the search that are filters: all but the turn and the project. */
export const filterFields = (list: Call): Fields =>
  Object.fromEntries(Object.entries(list.input.fields).filter(([k]) => !ours.has(k) && k !== 'projectCode'))

const write = (v: unknown): string =>
  Array.isArray(v) ? v.join(',') : v === true ? '1' : v === false ? '0' : String(v)

function read(text: string, f: Field): unknown {
  const v =
    f.kind === 'choices' || f.kind === 'list'
      ? text.split(',').filter(t => t !== '' && (!f.choices || Object.hasOwn(f.choices.rows, t)))
      : f.kind === 'int' || f.kind === 'money' || f.kind === 'id'
        ? Number(text)
        : f.kind === 'flag'
          ? text === '1'
          : text
  // An address is typed by anybody: what the server would refuse is left out.
  return Number.isNaN(v) || (Array.isArray(v) && !v.length) || fault({ ...f, required: false }, v)
    ? undefined
    : v
}

const whole = (text: string | null): number | undefined => {
  const n = Number(text)
  return text && Number.isInteger(n) && n > 0 ? n : undefined
}

export function readQuery(search: string, fields: Fields): Query {
  const said = new URLSearchParams(search)
  const filter: Record<string, unknown> = {}
  for (const k in fields) {
    const t = said.get(k)
    const v = t === null ? undefined : read(t, fields[k]!)
    if (v !== undefined) {
      filter[k] = v
    }
  }
  return {
    filter,
    keyword: (said.get('keyword') ?? '').slice(0, 100),
    order: said.get('order') ?? undefined,
    page: whole(said.get('page')) ?? 1,
    size: whole(said.get('size')),
    view: said.get('view') ?? undefined,
  }
}

/** The address of a query; what is not ours in it stays. */
export function writeQuery(search: string, fields: Fields, q: Query): string {
  const said = new URLSearchParams(search)
  const put = (k: string, v: unknown): void => {
    if (v === undefined || v === '' || (Array.isArray(v) && !v.length)) {
      said.delete(k)
    } else {
      said.set(k, write(v))
    }
  }
  for (const k in fields) {
    put(k, q.filter[k])
  }
  put('keyword', q.keyword)
  put('order', q.order)
  put('view', q.view)
  put('size', q.size)
  put('page', q.page > 1 ? q.page : undefined)
  return said.toString()
}

/**
 * The filter of a list as an address, for links from figures to the rows they count: `/room?state=vacant`.
 */
export const listLink = (path: string, list: Call, filter: Asked, more: Partial<Query> = {}): string => {
  const text = writeQuery('', filterFields(list), { ...noQuery, ...more, filter })
  return text ? `${path}?${text}` : path
}

/**
 * The query in the address, or (in a detail, a dialog) in memory. Changing the filter goes back to page 1.
 */
export function useQueryState(
  list: Call,
  embedded: boolean,
): [q: Query, set: (patch: Partial<Query>) => void] {
  const at = useLocation()
  const navigate = useNavigate()
  const fields = useMemo(() => filterFields(list), [list])
  const [held, setHeld] = useState(noQuery)
  const fromUrl = useMemo(() => readQuery(at.search, fields), [at.search, fields])
  const q = embedded ? held : fromUrl
  const set = useCallback(
    (patch: Partial<Query>): void => {
      const moved =
        patch.page === undefined &&
        (patch.filter !== undefined ||
          patch.keyword !== undefined ||
          patch.order !== undefined ||
          patch.size !== undefined)
      const now = (was: Query): Query => ({ ...was, ...(moved ? { page: 1 } : {}), ...patch })
      if (embedded) {
        setHeld(now)
        return
      }
      const text = writeQuery(at.search, fields, now(readQuery(at.search, fields)))
      void navigate(
        { pathname: at.pathname, search: text ? `?${text}` : '', hash: at.hash },
        { replace: true, state: at.state, preventScrollReset: true },
      )
    },
    [at, embedded, fields, navigate],
  )
  return [q, set]
}
