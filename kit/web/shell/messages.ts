import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hear, isLive, onLive } from '../live.ts'
import { queries } from '../query.ts'
import { useSession } from '../session.ts'
import { useHost, type Message } from './host.ts'

const key = ['messages'] as const
export const refreshMessages = (): Promise<void> => queries.invalidateQueries({ queryKey: key })

/** Words over the live connection keep the count; without it it is asked for every two minutes. */
export function useUnread(): Readonly<Record<Message['group'], number>> {
  const host = useHost()
  const who = useSession(s => s.signed?.manager.id)
  const live = useSyncExternalStore(onLive, isLive)
  const { data } = useQuery({
    queryKey: [...key, 'unread', who],
    queryFn: ({ signal }) => host.messages.unread(signal),
    staleTime: 30_000,
    retry: false,
    refetchInterval: live ? false : 120_000,
  })
  return data ?? { todo: 0, notice: 0, system: 0 }
}

export function useLatest() {
  const host = useHost()
  const who = useSession(s => s.signed?.manager.id)
  return useQuery({
    queryKey: [...key, 'latest', who],
    queryFn: ({ signal }) => host.messages.latest(signal),
    staleTime: 0,
    retry: false,
  })
}

export function useAnnounced() {
  const host = useHost()
  const who = useSession(s => s.signed?.manager.id)
  return (
    useQuery({
      queryKey: [...key, 'announced', who],
      queryFn: ({ signal }) => host.messages.announced(signal),
      staleTime: 60_000,
      retry: false,
    }).data ?? []
  )
}

/** Follows what the server tells; stands once in the shell. */
export const useMessageWords = (): void =>
  useEffect(() => {
    const again = (): void => void refreshMessages()
    const ends = [hear('notice', again), hear('gap', again), hear('ready', again)]
    return () => ends.forEach(end => end())
  }, [])
