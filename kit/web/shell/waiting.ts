import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../query.ts'
import { useSession } from '../session.ts'
import { sortByUrgency, type WaitingItem } from '../workbench.ts'
import { useHost } from './host.ts'

const staleTime = 60_000

/** The answer itself tells what it depends on. */
const knownEntities = (queryKey: readonly unknown[]): readonly string[] | undefined =>
  queryClient.getQueryData<{ readonly entities: readonly string[] }>(queryKey)?.entities

/** What waits for this person in the chosen project, the most urgent first. */
export function useWaiting(): {
  readonly items: readonly WaitingItem[]
  readonly isLoading: boolean
  /** Kinds of work that could not be counted; of all of them, where nothing came. */
  readonly failedText: string | undefined
  readonly retry: () => void
} {
  const host = useHost()
  const project = useSession(s => s.project?.code)
  const queryKey = ['waiting', project]
  const { data, isPending, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => host.waiting(signal),
    meta: { entities: knownEntities(queryKey) },
    staleTime,
    retry: false,
  })
  const failed = data?.failed ?? 0
  return {
    items: sortByUrgency(data?.items ?? []),
    isLoading: isPending,
    failedText: isError && !data ? '待办事项加载失败' : failed ? `有 ${failed} 项加载失败` : undefined,
    retry: () => void refetch(),
  }
}

/** How much waits behind the screen of a path; undefined where nothing does. */
export function useMenuCount(path: string): { readonly count: number; readonly urgent: boolean } | undefined {
  const host = useHost()
  const project = useSession(s => s.project?.code)
  const queryKey = ['menu-counts', project]
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => host.menuCounts(signal),
    meta: { entities: knownEntities(queryKey) },
    staleTime,
    retry: false,
  }).data?.byPath.get(path.toLowerCase())
}
