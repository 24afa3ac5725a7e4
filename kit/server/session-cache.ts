import { sql, type Database } from './db.ts'
import type { Session } from './session.ts'

export interface CachedSession {
  session: Session
  readonly loadedAt: number
  /** When its use was last written. */
  touchedAt: number
}

/** Which sessions have changed: one by its id, or those of an operator or of all. */
export interface SessionChange {
  readonly owner: number
  readonly operator?: number | 'all'
  readonly id?: number
}

export interface SessionCache {
  /** The session of a token, loaded where it is not cached or no longer fresh. */
  get(token: string, load: () => Promise<Session | undefined>): Promise<CachedSession | undefined>
  delete(token: string): void
  /** Drops what has changed, here at once and on every other node. */
  forgetEverywhere(change: SessionChange): Promise<void>
}

const cacheLifetimeMs = 15_000
const maxCached = 20_000

const isAffected = ({ session }: CachedSession, { owner, operator, id }: SessionChange): boolean =>
  session.caller.ownerId === owner &&
  (id !== undefined ? session.id === id : operator === 'all' || session.caller.operatorId === operator)

export async function openSessionCache(database: Database, clock: () => number): Promise<SessionCache> {
  const cached = new Map<string, CachedSession>()
  const loading = new Map<string, Promise<CachedSession | undefined>>()
  // Counts what was forgotten: a session whose loading began before that is not cached.
  let generation = 0
  const forget = (change?: SessionChange): void => {
    generation++
    for (const [token, entry] of cached) {
      if (!change || isAffected(entry, change)) {
        cached.delete(token)
      }
    }
  }
  await database.listen(
    'session',
    payload => forget(JSON.parse(payload)),
    () => forget(),
  )
  const loadAndKeep = async (
    token: string,
    load: () => Promise<Session | undefined>,
  ): Promise<CachedSession | undefined> => {
    const startedIn = generation
    const session = await load()
    if (!session) return undefined
    const entry = { session, loadedAt: clock(), touchedAt: cached.get(token)?.touchedAt ?? 0 }
    if (cached.size > maxCached) {
      cached.clear()
    }
    if (generation === startedIn) {
      cached.set(token, entry)
    }
    return entry
  }
  return {
    get: async (token, load) => {
      const known = cached.get(token)
      if (known && clock() - known.loadedAt < cacheLifetimeMs && known.session.expiresAt > clock())
        return known
      const underWay = loading.get(token)
      if (underWay) return underWay
      const promise = loadAndKeep(token, load).finally(() => loading.delete(token))
      loading.set(token, promise)
      return promise
    },
    delete: token => {
      cached.delete(token)
    },
    forgetEverywhere: async change => {
      forget(change)
      await database.tx('*', tx => tx.execute(sql`select pg_notify('session', ${JSON.stringify(change)})`))
    },
  }
}
