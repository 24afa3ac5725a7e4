import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { send } from './send.ts'
import { useSession } from './session.ts'

/**
 * A record as something to choose: its value (id or natural key), its name, a word more, and why it may not
 * be chosen.
 */
export interface Option {
  readonly value: string
  readonly label: string
  readonly note?: string | undefined
  readonly off?: string | undefined
}

type Given = Readonly<Record<string, unknown>>

export interface PickerProps {
  readonly value: readonly string[]
  readonly many: boolean
  readonly max?: number | undefined
  readonly given: Given
  readonly onDone: (chosen: readonly Option[] | undefined) => void
}

/** Where the records that a reference points at come from. */
export interface RefSource {
  /** Those that fit a word (the first ones for no word), given what else the form or the filter says. */
  readonly find: (word: string, given: Given) => Promise<readonly Option[]>
  /** The names of values that are already set. */
  readonly name: (values: readonly string[], given: Given) => Promise<readonly Option[]>
  /** Keys of `given` that change the answer. */
  readonly hangsOn?: readonly string[]
  /** A slide-in instead of a pull-down. */
  readonly picker?: ComponentType<PickerProps>
}

type Loader = () => Promise<{ readonly default: RefSource }>

const loaders = new Map<string, Loader>()
const loaded = new Map<string, Promise<RefSource>>()

/**
 * By entity: `{ building: () => import('#modules/estates/web/refs/building.ts') }`; each is loaded when first
 * needed.
 */
export const provideRefs = (all: Readonly<Record<string, Loader>>): void => {
  for (const [entity, load] of Object.entries(all)) {
    loaders.set(entity, load)
  }
}

/** The same from vite's glob over every module's `web/refs/ENTITY.ts`: the file is named as its entity. */
export const provideRefFiles = (files: Readonly<Record<string, () => Promise<unknown>>>): void =>
  provideRefs(
    Object.fromEntries(
      Object.entries(files).map(([path, load]) => [path.replace(/^.*\/|\.tsx?$/g, ''), load as Loader]),
    ),
  )

export const hasRef = (entity: string | undefined): boolean => entity !== undefined && loaders.has(entity)

function sourceOf(entity: string): Promise<RefSource> {
  const known = loaded.get(entity)
  if (known) return known
  const load = loaders.get(entity)
  if (!load) return Promise.reject(new Error(`Nobody says how to choose a ${entity}`))
  const asked = load().then(m => m.default)
  loaded.set(entity, asked)
  asked.catch(() => loaded.delete(entity))
  return asked
}

interface About<I, T> {
  readonly value: (row: T) => string | number | undefined
  readonly label: (row: T) => string
  readonly note?: (row: T) => string | undefined
  readonly off?: (row: T) => string | undefined
  /** What the list is asked besides the keyword, from what else the form says. */
  readonly input?: (given: Given) => Partial<I>
  readonly hangsOn?: readonly string[]
  /** Asks for the rows of known values, where the first fifty may not hold them. */
  readonly known?: (values: readonly string[]) => Partial<I>
  readonly picker?: ComponentType<PickerProps>
}

const most = 50

/**
 * A source from a list call: `export default refOf(pickBuildings, { value: b => b.code, label: b => b.name
 * })`. Lists that are not paged are asked whole and searched here.
 */
export function refOf<I, T>(list: Call<I, Page<T>> | Call<I, readonly T[]>, about: About<I, T>): RefSource {
  const paged = list.output.form === 'page'
  const ask = async (more: object): Promise<readonly Option[]> => {
    const answer = (await send(list as Call<any, any>, more, { quiet: true })) as Page<T> | readonly T[]
    const rows = 'rows' in answer ? answer.rows : answer
    return rows.flatMap(r => {
      const v = about.value(r)
      return v === undefined
        ? []
        : [{ value: String(v), label: about.label(r), note: about.note?.(r), off: about.off?.(r) }]
    })
  }
  const fits = (o: Option, word: string): boolean =>
    `${o.label} ${o.note ?? ''}`.toLowerCase().includes(word.toLowerCase())
  return {
    find: async (word, given) =>
      paged
        ? ask({ page: 1, size: most, ...(word ? { keyword: word } : {}), ...about.input?.(given) })
        : (await ask({ ...about.input?.(given) })).filter(o => !word || fits(o, word)),
    name: async (values, given) =>
      (
        await ask({
          ...(paged ? { page: 1, size: Math.max(most, values.length) } : {}),
          ...about.input?.(given),
          ...about.known?.(values),
        })
      ).filter(o => values.includes(o.value)),
    ...(about.hangsOn ? { hangsOn: about.hangsOn } : {}),
    ...(about.picker ? { picker: about.picker } : {}),
  }
}

const useProject = (): string => useSession(s => s.project?.code ?? s.signed?.nearestProjectCode ?? '')

const part = (source: RefSource | undefined, given: Given): unknown =>
  Object.fromEntries((source?.hangsOn ?? []).map(k => [k, given[k]]))

export function useSource(entity: string | undefined): RefSource | undefined {
  const [source, setSource] = useState<RefSource>()
  useEffect(() => {
    let live = true
    if (hasRef(entity)) {
      void sourceOf(entity!).then(
        s => {
          if (live) {
            setSource(s)
          }
        },
        () => undefined,
      )
    }
    return () => {
      live = false
    }
  }, [entity])
  return source
}

/** Options for a word, asked when `open`. */
export function useOptions(
  entity: string | undefined,
  word: string,
  given: Given,
  open: boolean,
): {
  readonly options: readonly Option[]
  readonly busy: boolean
  readonly failed: boolean
  readonly more: boolean
  readonly source: RefSource | undefined
} {
  const source = useSource(entity)
  const project = useProject()
  const q = useQuery({
    queryKey: ['ref', entity, project, word, part(source, given)],
    enabled: open && source !== undefined,
    queryFn: () => source!.find(word, given),
    meta: { entities: [entity] },
    placeholderData: b => b,
  })
  return {
    options: q.data ?? [],
    busy: q.isFetching,
    failed: q.isError,
    more: (q.data?.length ?? 0) >= most,
    source,
  }
}

/** What values that are set are called; values stand for themselves until it is known. */
export function useNames(
  entity: string | undefined,
  values: readonly string[],
  given: Given = {},
): ReadonlyMap<string, string> {
  const source = useSource(entity)
  const project = useProject()
  const q = useQuery({
    queryKey: ['names', entity, project, [...values].sort(), part(source, given)],
    enabled: values.length > 0 && source !== undefined,
    queryFn: () => source!.name(values, given),
    meta: { entities: [entity] },
    staleTime: 300_000,
  })
  return new Map((q.data ?? []).map(o => [o.value, o.label]))
}
