import type { Id } from '#kit/domain/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { onLiveMessage, isLiveConnected, onLiveStateChange } from '../live.ts'
import { queryClient, refetchOlder } from '../query.ts'
import { useSession } from '../session.ts'
import { refreshMessages } from './messages.ts'
import { useHost, type Task } from './host.ts'

const key = ['tasks'] as const
const none: readonly Task[] = []
export const isUnfinished = (t: Task): boolean => t.phase === 'waiting' || t.phase === 'running'
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key })

/**
 * The person's background tasks. Live messages keep them up to date; without the connection they are fetched
 * every 3 seconds while one runs.
 */
export function useTasks(): {
  readonly all: readonly Task[]
  readonly running: number
  readonly error: unknown
  readonly loading: boolean
  refresh(): Promise<void>
} {
  const host = useHost()
  const userId = useSession(s => s.signed?.manager.id)
  const live = useSyncExternalStore(onLiveStateChange, isLiveConnected)
  const { data, error, isPending } = useQuery({
    queryKey: [...key, userId],
    queryFn: ({ signal }) => host.tasks.list(signal),
    staleTime: 30_000,
    retry: false,
    refetchInterval: q => (!live && (q.state.data ?? none).some(isUnfinished) ? 3000 : false),
  })
  const all = data ?? none
  return { all, running: all.filter(isUnfinished).length, error, loading: isPending, refresh }
}

/**
 * Follows the tasks of this person; used once in the shell. The server sends a message when one ends; with
 * the task centre open it is marked read.
 */
export function useTaskUpdates(watching: boolean): void {
  useEffect(() => {
    const stopProgress = onLiveMessage('task', message => {
      const known = queryClient
        .getQueriesData<readonly Task[]>({ queryKey: key })
        .flatMap(([, all]) => all ?? [])
        .find(t => t.id === message.id)
      const running = typeof message.done === 'number' && known?.phase === 'running'
      if (!running) return void refresh()
      queryClient.setQueriesData<readonly Task[]>({ queryKey: key }, all =>
        all?.map(task =>
          task.id === message.id
            ? {
                ...task,
                done: Number(message.done),
                total: message.total === undefined ? task.total : Number(message.total),
                note: typeof message.note === 'string' ? message.note : task.note,
              }
            : task,
        ),
      )
    })
    const stopGap = onLiveMessage('gap', () => void refresh())
    const stopReady = onLiveMessage('ready', () => void refetchOlder(key))
    return () => {
      stopProgress()
      stopGap()
      stopReady()
    }
  }, [])
  const { all } = useTasks()
  const { messages } = useHost()
  useEffect(() => {
    const ended = all.filter(t => !isUnfinished(t) && wasUnfinished.has(t.id))
    for (const task of all) {
      if (isUnfinished(task)) {
        wasUnfinished.add(task.id)
      } else {
        wasUnfinished.delete(task.id)
      }
    }
    if (watching) {
      for (const t of ended) {
        void messages.read({ kind: messages.taskEnded, about: t.id }).then(refreshMessages, () => undefined)
      }
    }
  }, [all, watching, messages])
}

const wasUnfinished = new Set<Id>()
