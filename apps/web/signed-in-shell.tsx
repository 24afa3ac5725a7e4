import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useLiveMessage } from '#kit/web/live.ts'
import { HostContext } from '#kit/web/shell/host.ts'
import Shell from '#kit/web/shell/shell.tsx'
import { setRights, useSession } from '#kit/web/session.ts'
import { Skeleton } from '#kit/web/page-feedback.tsx'
import { LoadFailure } from '#kit/web/page-error.tsx'
import { useAccountAlerts } from '#modules/accounts/web/account-alerts.ts'
import { host } from './host.ts'
import { connectKit, connectUserSettings } from './connect-kit.ts'

connectKit()

/** The shell for a signed-in user, once the permissions are known. */
export default function SignedInShell() {
  const userId = useSession(s => s.signed?.manager.id)
  const rights = useSession(s => s.rights)
  const { data, error, refetch } = useQuery({
    queryKey: ['rights', userId],
    queryFn: ({ signal }) => host.rights(signal),
    staleTime: 60_000,
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  })
  useEffect(() => {
    if (data) {
      setRights(data)
    }
  }, [data])
  // Permissions were changed, or the message about it may have been lost: the menu is drawn again at once.
  const refetchRights = useCallback((): void => void refetch(), [refetch])
  useLiveMessage('rights', refetchRights)
  useLiveMessage('gap', refetchRights)
  useAccountAlerts()
  useEffect(() => {
    void connectUserSettings()
  }, [userId])
  if (rights === undefined)
    return error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Skeleton />
  return (
    <HostContext value={host}>
      <Shell />
    </HostContext>
  )
}
