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
import type { Call } from '#kit/contract/call.ts'
import { Refused } from '#kit/contract/wire.ts'
import { RequestFailure, newUuid, send, type SendOptions } from './send.ts'
import { currentSender, useSession } from './session.ts'

const isRetryable = (e: unknown): boolean =>
  e instanceof RequestFailure && [0, 502, 503, 504].includes(e.status)

/**
 * One store of answers for the whole page. Nothing is asked again merely because the window came to the
 * front: rows must not move under the hand.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 600_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: (n, e) => n < 2 && isRetryable(e),
    },
  },
})

const entitiesOf = (c: Call): string[] => [c.output.entity, c.input.entity].filter(e => e !== undefined)

/** The key of an answer: the call, the project asked in, the input. */
export const queryKeyOf = <I>(
  c: Call<I, any>,
  input: I,
  project: unknown = currentSender().projectCode,
): readonly unknown[] => ['call', c.route, project ?? '', input ?? null]

export interface QueryOptions<O, T> extends Pick<SendOptions, 'quiet' | 'project' | 'timeout'> {
  readonly enabled?: boolean
  /** Keep the old answer on screen while the next one is under way (paging, filtering). */
  readonly keepPrevious?: boolean
  /** Milliseconds within which an answer is not asked again. */
  readonly staleMs?: number
  readonly refetchMs?: number | false
  readonly select?: (o: O) => T
}

/**
 * The answer of a reading call, asked once and shared; again when its input, the project or what it speaks of
 * changes.
 */
export function useCall<I, O, T = O>(
  c: Call<I, O>,
  input: I,
  more: QueryOptions<O, T> = {},
): UseQueryResult<T> {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  return useQuery<O, Error, T>({
    queryKey: queryKeyOf(c, input, more.project ?? project),
    queryFn: ({ signal }) => send(c, input, { ...more, signal }).then(o => (o === undefined ? null : o) as O),
    meta: { entities: entitiesOf(c) },
    ...(more.enabled === undefined ? {} : { enabled: more.enabled }),
    ...(more.staleMs === undefined ? {} : { staleTime: more.staleMs }),
    ...(more.refetchMs === undefined ? {} : { refetchInterval: more.refetchMs }),
    ...(more.select ? { select: more.select } : {}),
    ...(more.keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  })
}

type CachedQuery = Query<unknown, Error>
const refetching = new WeakSet<CachedQuery>()

/**
 * Marks answers stale; what is on screen is asked again at once. One that is still under way for the first
 * time may have been read before what is told now, and the store does not ask it anew: it is asked once more
 * when it has come, or the screen would keep what is no longer so.
 */
async function markStale(of: (q: CachedQuery) => boolean): Promise<void> {
  for (const q of queryClient.getQueryCache().findAll({
    fetchStatus: 'fetching',
    predicate: x => x.state.data === undefined && of(x as CachedQuery),
  }) as CachedQuery[]) {
    if (refetching.has(q)) continue
    refetching.add(q)
    void q
      .fetch()
      .catch(() => {})
      .then(() => {
        refetching.delete(q)
        return queryClient.invalidateQueries({ predicate: x => x === (q as unknown) })
      })
  }
  await queryClient.invalidateQueries({ predicate: x => of(x as CachedQuery) })
}

/** What speaks of these entities is stale. */
export const invalidate = (entities: readonly string[]): Promise<void> =>
  markStale(q => ((q.meta?.entities ?? []) as string[]).some(e => entities.includes(e)))

/** Every answer of these calls is stale. */
export const invalidateCalls = (...calls: readonly Call[]): Promise<void> =>
  markStale(q => calls.some(c => c.route === q.queryKey[1]))

/**
 * A writing call. What it affects is asked again afterwards. A write that got no answer and is sent again
 * unchanged carries the same `uuid`, so that it cannot happen twice (G-6).
 */
export function useSend<I, O>(c: Call<I, O>, more: SendOptions = {}): UseMutationResult<O, Error, I> {
  const last = useRef<{ said: string; uuid: string }>(undefined)
  return useMutation<O, Error, I>({
    mutationFn: async input => {
      const said = JSON.stringify(input ?? null)
      const uuid = last.current?.said === said ? last.current.uuid : newUuid()
      last.current = { said, uuid }
      try {
        const o = await send(c, input, { ...more, uuid })
        last.current = undefined
        return o
      } catch (e) {
        if (e instanceof Refused) {
          last.current = undefined
        }
        throw e
      }
    },
    onSuccess: () => {
      if (c.affects?.length) {
        void invalidate(c.affects)
      }
    },
  })
}
