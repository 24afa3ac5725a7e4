import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { onLiveMessage, isLiveConnected, onLiveStateChange } from '../live.ts'
import { queryClient, refetchOlder } from '../query.ts'
import { useSession } from '../session.ts'
import { useHost, type Message } from './host.ts'

const key = ['messages'] as const
export const refreshMessages = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key })

/** Live messages keep the count up to date; without the connection it is fetched every two minutes. */
export function useUnreadCounts(): Readonly<Record<Message['group'], number>> {
  const host = useHost()
  const userId = useSession(s => s.signed?.manager.id)
  const live = useSyncExternalStore(onLiveStateChange, isLiveConnected)
  const { data } = useQuery({
    queryKey: [...key, 'unread', userId],
    queryFn: ({ signal }) => host.messages.unread(signal),
    staleTime: 30_000,
    retry: false,
    refetchInterval: live ? false : 120_000,
  })
  return data ?? { todo: 0, notice: 0, system: 0 }
}

export function useLatestMessages() {
  const host = useHost()
  const userId = useSession(s => s.signed?.manager.id)
  return useQuery({
    queryKey: [...key, 'latest', userId],
    queryFn: ({ signal }) => host.messages.latest(signal),
    staleTime: 0,
    retry: false,
  })
}

export function useAnnouncements() {
  const host = useHost()
  const userId = useSession(s => s.signed?.manager.id)
  return (
    useQuery({
      queryKey: [...key, 'announced', userId],
      queryFn: ({ signal }) => host.messages.announcements(signal),
      staleTime: 60_000,
      retry: false,
    }).data ?? []
  )
}

/** Follows the server's messages; used once in the shell. */
export const useMessageUpdates = (): void =>
  useEffect(() => {
    const refetch = (): void => void refreshMessages()
    const unsubscribers = [
      onLiveMessage('notice', refetch),
      onLiveMessage('gap', refetch),
      onLiveMessage('ready', () => void refetchOlder(key)),
    ]
    return () => unsubscribers.forEach(unsubscribe => unsubscribe())
  }, [])
