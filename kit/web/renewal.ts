import type { Call } from '#kit/contract/call.ts'
import { expire, send } from './send.ts'
import { idle, renewMinutes, replaceToken, session, tokenHours } from './session.ts'

const minute = 60_000
/** `due`: the token has less than half an hour left. `over`: nobody has worked for longer than the company allows (PERM-10). */
export function tokenState(idleMs: number, idleMinutes: number | undefined): 'fine' | 'due' | 'over' {
  if (idleMinutes && idleMs > idleMinutes * minute) return 'over'
  return tokenHours * 60 * minute - idleMs < renewMinutes * minute ? 'due' : 'fine'
}

/** Watches the session once a minute: renews the token in time, ends an idle session. A failed renewal is ignored. Answers how to stop. */
export function watchSession(renew: Call<{ token: string; type?: any }, string>, idleMinutes: () => number | undefined): () => void {
  let renewed = 0
  const look = async (): Promise<void> => {
    const { signed } = session.getState()
    if (!signed) return
    const state = tokenState(Math.min(idle(), Date.now() - renewed), undefined)
    if (tokenState(idle(), idleMinutes()) === 'over') return expire()
    if (state !== 'due') return
    try { replaceToken(await send(renew, { token: signed.token }, { quiet: true })); renewed = Date.now() } catch { /* the next request will tell */ }
  }
  const timer = setInterval(() => void look(), minute)
  const seen = (): void => { if (document.visibilityState === 'visible') void look() }
  document.addEventListener('visibilitychange', seen)
  return () => { clearInterval(timer); document.removeEventListener('visibilitychange', seen) }
}
