import type { Call } from '#kit/contract/call.ts'
import { expireSession, send } from './send.ts'
import { msSinceLastRequest, renewMinutes, replaceToken, session, tokenHours } from './session.ts'

const minute = 60_000

/** Whether a token of this age has less than half an hour left (PERM-10). */
export const needsRenewal = (ageMs: number): boolean => (tokenHours * 60 - renewMinutes) * minute < ageMs

/** Whether nobody has worked for longer than the company allows. Without a limit: never. */
export const isIdle = (idleMs: number, idleMinutes: number | undefined): boolean =>
  !!idleMinutes && idleMs > idleMinutes * minute

/**
 * Watches the session once a minute: renews the token in time, ends an idle session. A failed renewal is
 * ignored (0§7). Returns a stop function.
 */
export function watchSession(
  renew: Call<{ readonly token?: string; readonly type?: string }, string>,
): () => void {
  let renewed = 0
  const checkSession = async (): Promise<void> => {
    const { signed } = session.getState()
    if (!signed) return
    if (isIdle(msSinceLastRequest(), signed.manager.idleMinutes)) return expireSession()
    if (!needsRenewal(Math.min(msSinceLastRequest(), Date.now() - renewed))) return
    try {
      replaceToken(await send(renew, { token: signed.token, type: 'web' }, { quiet: true }))
      renewed = Date.now()
    } catch {
      /* the next request will report it */
    }
  }
  const timer = setInterval(() => void checkSession(), minute)
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') {
      void checkSession()
    }
  }
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
