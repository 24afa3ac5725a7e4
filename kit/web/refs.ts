import { defined } from '#kit/domain/defined.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { send } from './send.ts'
import { useSession } from './session.ts'

/** A record as an option: its value (id or natural key), its name, a note, and why it cannot be chosen. */
export interface Option {
  readonly value: string
  readonly label: string
  readonly note?: string | undefined
  readonly disabledReason?: string | undefined
}

type RefContext = Readonly<Record<string, unknown>>

export interface PickerProps {
  readonly value: readonly string[]
  readonly multiple: boolean
  readonly max?: number | undefined
  readonly formValues: RefContext
  readonly onDone: (chosen: readonly Option[] | undefined) => void
}

/** The source of the records that a reference offers. */
export interface RefSource {
  /**
   * Those that match a text (the first ones for an empty text), given the other values of the form or filter.
   */
  readonly search: (text: string, context: RefContext) => Promise<readonly Option[]>
  /** The names of values that are already set. */
  readonly resolveNames: (values: readonly string[], context: RefContext) => Promise<readonly Option[]>
  /** Keys of `given` that change the answer. */
  readonly dependsOn?: readonly string[]
  /** A slide-in beside the select. */
  readonly picker?: ComponentType<PickerProps>
}

type RefLoader = () => Promise<{ readonly default: RefSource }>

const loaders = new Map<string, RefLoader>()
const loaded = new Map<string, Promise<RefSource>>()

/**
 * By entity: `{ building: () => import('#modules/estates/web/refs/building.ts') }`; each is loaded when first
 * needed.
 */
export const registerRefs = (all: Readonly<Record<string, RefLoader>>): void => {
  for (const [entity, load] of Object.entries(all)) {
    loaders.set(entity, load)
  }
}

/** The same from vite's glob over every module's `web/refs/ENTITY.ts`: the file is named after its entity. */
export const registerRefFiles = (files: Readonly<Record<string, () => Promise<unknown>>>): void =>
  registerRefs(
    Object.fromEntries(
      Object.entries(files).map(([path, load]) => [path.replace(/^.*\/|\.tsx?$/g, ''), load as RefLoader]),
    ),
  )

export const hasRef = (entity: string | undefined): boolean => entity !== undefined && loaders.has(entity)

function loadSource(entity: string): Promise<RefSource> {
  const cached = loaded.get(entity)
  if (cached) return cached
  const load = loaders.get(entity)
  if (!load) return Promise.reject(new Error(`No source is registered for choosing a ${entity}`))
  const loading = load().then(m => m.default)
  loaded.set(entity, loading)
  loading.catch(() => loaded.delete(entity))
  return loading
}

interface RefSourceOptions<I, T> {
  readonly value: (row: T) => string | number | undefined
  readonly label: (row: T) => string
  readonly note?: (row: T) => string | undefined
  readonly disabledReason?: (row: T) => string | undefined
  /** Finds what was typed in the one order of all searches (BILL-11), where the list does not. */
  readonly find?: (text: string, context: RefContext) => Promise<readonly T[]>
  /** Only records of the project that the form is about, where it names one. */
  readonly ofFormProject?: boolean
  /** Input of the list besides the keyword, from the other values of the form. */
  readonly inputFromContext?: (context: RefContext) => Partial<I>
  readonly dependsOn?: readonly string[]
  /** Input for the rows of known values, where the first fifty may not contain them. */
  readonly inputForValues?: (values: readonly string[]) => Partial<I>
  readonly picker?: ComponentType<PickerProps>
}

const pageSize = 50

const projectInput = ({ projectCode }: RefContext): object =>
  projectCode ? { projectCode: String(projectCode) } : {}

/**
 * A source from a list call: `export default createRefSource(pickBuildings, { value: b => b.code, label: b =>
 * b.name })`. Lists that are not paged are fetched whole and searched here.
 */
export function createRefSource<I, T>(
  list: Call<I, Page<T>> | Call<I, readonly T[]>,
  options: RefSourceOptions<I, T>,
): RefSource {
  const paged = list.output.form === 'page'
  const toOptions = (rows: readonly T[]): readonly Option[] =>
    rows.flatMap(row => {
      const value = options.value(row)
      return value === undefined
        ? []
        : [
            {
              value: String(value),
              label: options.label(row),
              note: options.note?.(row),
              disabledReason: options.disabledReason?.(row),
            },
          ]
    })
  const fetchOptions = async (input: object): Promise<readonly Option[]> => {
    const answer = (await send(list as Call<any, any>, input, { quiet: true })) as Page<T> | readonly T[]
    return toOptions('rows' in answer ? answer.rows : answer)
  }
  const contextInput = (context: RefContext): object => ({
    ...(options.ofFormProject ? projectInput(context) : {}),
    ...options.inputFromContext?.(context),
  })
  const dependsOn = [...(options.ofFormProject ? ['projectCode'] : []), ...(options.dependsOn ?? [])]
  const matches = (option: Option, text: string): boolean =>
    `${option.label} ${option.note ?? ''}`.toLowerCase().includes(text.toLowerCase())
  return {
    search: async (text, context) => {
      if (text && options.find) return toOptions(await options.find(text, context))
      return paged
        ? fetchOptions({
            page: 1,
            size: pageSize,
            ...(text ? { keyword: text } : {}),
            ...contextInput(context),
          })
        : (await fetchOptions(contextInput(context))).filter(option => !text || matches(option, text))
    },
    resolveNames: async (values, context) =>
      (
        await fetchOptions({
          ...(paged ? { page: 1, size: Math.max(pageSize, values.length) } : {}),
          ...contextInput(context),
          ...options.inputForValues?.(values),
        })
      ).filter(option => values.includes(option.value)),
    ...(dependsOn.length ? { dependsOn } : {}),
    ...(options.picker ? { picker: options.picker } : {}),
  }
}

const useProjectCode = (): string => useSession(s => s.project?.code ?? s.signed?.nearestProjectCode ?? '')

const dependencyValues = (source: RefSource | undefined, context: RefContext): unknown =>
  Object.fromEntries((source?.dependsOn ?? []).map(k => [k, context[k]]))

export function useRefSource(entity: string | undefined): RefSource | undefined {
  const [source, setSource] = useState<RefSource>()
  useEffect(() => {
    let isMounted = true
    if (hasRef(entity)) {
      void loadSource(defined(entity)).then(
        s => {
          if (isMounted) {
            setSource(s)
          }
        },
        () => undefined,
      )
    }
    return () => {
      isMounted = false
    }
  }, [entity])
  return source
}

/** Options for a text, fetched when `open`. */
export function useRefOptions(
  entity: string | undefined,
  text: string,
  context: RefContext,
  open: boolean,
): {
  readonly options: readonly Option[]
  readonly busy: boolean
  readonly failed: boolean
  readonly hasMore: boolean
  readonly source: RefSource | undefined
} {
  const source = useRefSource(entity)
  const project = useProjectCode()
  const query = useQuery({
    queryKey: ['ref', entity, project, text, dependencyValues(source, context)],
    enabled: open && source !== undefined,
    queryFn: () => defined(source).search(text, context),
    meta: { entities: [entity] },
    placeholderData: b => b,
  })
  return {
    options: query.data ?? [],
    busy: query.isFetching,
    failed: query.isError,
    hasMore: (query.data?.length ?? 0) >= pageSize,
    source,
  }
}

/** What stands for a name that is being fetched: nobody reads the number of a record. */
export const pendingName = '…'

/** The names of values that are set. */
export function useRefNames(
  entity: string | undefined,
  values: readonly string[],
  context: RefContext = {},
): ReadonlyMap<string, string> {
  const source = useRefSource(entity)
  const project = useProjectCode()
  const query = useQuery({
    queryKey: ['names', entity, project, [...values].toSorted(), dependencyValues(source, context)],
    enabled: values.length > 0 && source !== undefined,
    queryFn: () => defined(source).resolveNames(values, context),
    meta: { entities: [entity] },
    staleTime: 300_000,
  })
  if (query.data) return new Map(query.data.map(option => [option.value, option.label]))
  const isFetching = entity !== undefined && hasRef(entity) && !query.isError
  return new Map(isFetching ? values.map(value => [value, pendingName]) : [])
}
