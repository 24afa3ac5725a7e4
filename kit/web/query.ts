import {
  QueryClient,
  keepPreviousData,
  useMutation,
  useQuery,
  type Query,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { defined } from '#kit/domain/defined.ts'
import type { Call } from '#kit/contract/call.ts'
import { Refused } from '#kit/contract/wire.ts'
import { RequestFailure, newUuid, send, type SendOptions } from './send.ts'
import { currentSender, session, useSession } from './session.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The entities whose changes a query shows. */
    queryMeta: { readonly entities?: readonly (string | undefined)[] }
  }
}

const isRetryable = (error: unknown): boolean =>
  error instanceof RequestFailure && [0, 502, 503, 504].includes(error.status)

/**
 * One cache of answers for the whole page. Nothing is fetched again merely because the window gets the focus:
 * rows must not move under the mouse.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 600_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: (n, error) => n < 2 && isRetryable(error),
      // A failure is shown within a second (0§8); the library would wait for three.
      retryDelay: n => 150 * 2 ** n,
    },
    // Without a network a write fails at once. The library would keep it and send it later, when the user may
    // have done it another way.
    mutations: { networkMode: 'always' },
  },
})

// What one person has read is nothing for the next one at the same browser.
session.subscribe((now, before) => {
  if (before.signed && now.signed?.manager.id !== before.signed.manager.id) {
    queryClient.clear()
  }
})

/**
 * Fetches again what was read some time ago. What was read just now, or is being read, is new: when the live
 * connection opens with the page, nothing is asked twice.
 */
export const refetchOlder = (queryKey: readonly unknown[], seconds = 2): Promise<void> =>
  queryClient.invalidateQueries({
    queryKey,
    predicate: q => q.state.fetchStatus === 'idle' && Date.now() - q.state.dataUpdatedAt > seconds * 1000,
  })

const entitiesOf = (call: Call): string[] =>
  [call.output.entity, call.input.entity].filter(error => error !== undefined)

/** The key of an answer: the call, the project asked in, the input. */
export const queryKeyOf = <I>(
  c: Call<I, any>,
  input: NoInfer<I>,
  project: unknown = currentSender().projectCode,
): readonly unknown[] => ['call', c.route, project ?? '', input ?? null]

export interface QueryOptions<O, T> extends Pick<SendOptions, 'quiet' | 'project' | 'timeout'> {
  readonly enabled?: boolean
  /** Keep the old answer on screen while the next one is loading (paging, filtering). */
  readonly keepPrevious?: boolean
  /** Milliseconds within which an answer is not fetched again. */
  readonly staleMs?: number
  readonly refetchMs?: number | false
  readonly select?: (answer: O) => T
}

/**
 * The answer of a reading call, fetched once and shared; again when its input, the project or an entity it
 * concerns changes.
 */
export function useCall<I, O, T = O>(
  call: Call<I, O>,
  input: NoInfer<I>,
  options: QueryOptions<O, T> = {},
): UseQueryResult<T> {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  return useQuery<O, Error, T>({
    queryKey: queryKeyOf(call, input, options.project ?? project),
    queryFn: ({ signal }) =>
      send(call, input, { ...options, signal }).then(answer => (answer === undefined ? null : answer) as O),
    meta: { entities: entitiesOf(call) },
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.staleMs === undefined ? {} : { staleTime: options.staleMs }),
    ...(options.refetchMs === undefined ? {} : { refetchInterval: options.refetchMs }),
    ...(options.select ? { select: options.select } : {}),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
}

type CachedQuery = Query<unknown>
const refetching = new WeakSet<CachedQuery>()

/**
 * Marks results stale; what is on screen is fetched again at once. One that is still loading for the first
 * time may have been read before the change, and the cache does not fetch it again: it is fetched once more
 * when it has arrived.
 */
async function markStale(matches: (query: CachedQuery) => boolean): Promise<void> {
  for (const query of queryClient.getQueryCache().findAll({
    fetchStatus: 'fetching',
    predicate: other => other.state.data === undefined && matches(other),
  }) as CachedQuery[]) {
    if (refetching.has(query)) continue
    refetching.add(query)
    void query
      .fetch()
      .catch(() => {})
      .then(() => {
        refetching.delete(query)
        return queryClient.invalidateQueries({ predicate: other => other === (query as unknown) })
      })
  }
  await queryClient.invalidateQueries({ predicate: other => matches(other) })
}

const markEntitiesStale = (entities: readonly string[]): Promise<void> =>
  markStale(query => (query.meta?.entities ?? []).some(entity => entities.includes(entity ?? '')))

/** Tells the other tabs of this browser what changed: there, too, it is shown as it is now. */
const otherTabs = typeof document === 'undefined' ? undefined : new BroadcastChannel('anju.changed')
otherTabs?.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
  void markEntitiesStale(data)
})

/** Results about these entities are stale, in every tab. */
export function invalidate(entities: readonly string[]): Promise<void> {
  otherTabs?.postMessage(entities)
  return markEntitiesStale(entities)
}

/** Every answer of these calls is stale. */
export const invalidateCalls = (...calls: readonly Call[]): Promise<void> =>
  markStale(query => calls.some(call => call.route === query.queryKey[1]))

/**
 * A writing call. What it affects is fetched again afterwards. A write that got no answer and is sent again
 * unchanged carries the same `uuid`, so that it cannot happen twice (G-6).
 */
export function useSend<I, O>(
  /** Undefined where a screen has no such call: it is then never sent. */
  call: Call<I, O> | undefined,
  options: SendOptions = {},
): UseMutationResult<O, Error, I> {
  const last = useRef<{ inputJson: string; uuid: string }>(undefined)
  return useMutation<O, Error, I>({
    mutationFn: async input => {
      const inputJson = JSON.stringify(input ?? null)
      const uuid = last.current?.inputJson === inputJson ? last.current.uuid : newUuid()
      last.current = { inputJson, uuid }
      try {
        const answer = await send(defined(call), input, { ...options, uuid })
        last.current = undefined
        return answer
      } catch (error) {
        if (error instanceof Refused) {
          last.current = undefined
        }
        throw error
      }
    },
    onSuccess: () => {
      if (call?.affects?.length) {
        void invalidate(call.affects)
      }
    },
  })
}
