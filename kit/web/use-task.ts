import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { HostContext, type Task, type Tasks } from './shell/host.ts'

const isEnded = (t: Task | undefined): boolean =>
  t !== undefined && t.phase !== 'waiting' && t.phase !== 'running'

/** One background task, fetched every second until it has ended. */
export function useTask(id: Id | undefined): {
  readonly task: Task | undefined
  readonly tasks: Tasks | undefined
  readonly failed: boolean
  readonly isEnded: boolean
} {
  const tasks = useContext(HostContext)?.tasks
  const query = useQuery({
    queryKey: ['task', id],
    enabled: id !== undefined && tasks !== undefined,
    staleTime: 0,
    queryFn: async ({ signal }) => (await defined(tasks).list(signal)).find(t => t.id === id) ?? null,
    refetchInterval: s => (isEnded(s.state.data ?? undefined) ? false : 1000),
  })
  const task = query.data ?? undefined
  return { task, tasks, failed: query.isError, isEnded: isEnded(task) }
}
