import type { Id } from '#kit/domain/id.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
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
  readonly ownerId: Id
  readonly operator?: Id | 'all'
  readonly id?: Id
}

export interface SessionCache {
  /** The session of a token, loaded where it is not cached or no longer fresh. */
  get(token: string, load: () => Promise<Session | undefined>): Promise<CachedSession | undefined>
  delete(token: string): void
  /** Drops what has changed, here at once and on every other node; done when every node has done so. */
  forgetEverywhere(change: SessionChange): Promise<void>
}

const cacheLifetimeMs = 15_000
const maxCached = 20_000
const acknowledgementCheckMs = 10

/** A change on its way to the other nodes, which answer under `change`. */
interface Announcement extends SessionChange {
  readonly node: string
  readonly change: string
}

const isAffected = ({ session }: CachedSession, { ownerId, operator, id }: SessionChange): boolean =>
  session.caller.ownerId === ownerId &&
  (id !== undefined ? session.id === id : operator === 'all' || session.caller.operatorId === operator)

/** The sessions that this node has loaded. */
function createLocalCache(clock: () => number) {
  const cached = new Map<string, CachedSession>()
  const loading = new Map<string, Promise<CachedSession | undefined>>()
  // Counts what was forgotten: a session whose loading began before that is not cached.
  let generation = 0
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
    /** A cached session that is still fresh. */
    find: (token: string): CachedSession | undefined => {
      const known = cached.get(token)
      const isFresh = known && clock() - known.loadedAt < cacheLifetimeMs && known.session.expiresAt > clock()
      return isFresh ? known : undefined
    },
    /** Loads a session, once for all who ask at the same time. */
    load: (token: string, load: () => Promise<Session | undefined>): Promise<CachedSession | undefined> => {
      const underWay = loading.get(token)
      if (underWay) return underWay
      const promise = loadAndKeep(token, load).finally(() => {
        if (loading.get(token) === promise) {
          loading.delete(token)
        }
      })
      loading.set(token, promise)
      return promise
    },
    delete: (token: string): void => {
      cached.delete(token)
    },
    forget: (change?: SessionChange): void => {
      generation++
      // A load under way may have read what was true before: nobody else should wait for it.
      loading.clear()
      for (const [token, entry] of cached) {
        if (!change || isAffected(entry, change)) {
          cached.delete(token)
        }
      }
    },
  }
}

const notifyNodes = (database: Database, channel: string, payload: object): Promise<unknown> =>
  database.tx('*', tx => tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`))

const countNodes = async (database: Database): Promise<number> =>
  (
    await database.reader('*').one<{ nodes: number }>(sql`
      select count(*)::int as nodes
      from pg_stat_activity
      where datname = current_database() and application_name like 'listens:%:session:%'
    `)
  )?.nodes ?? 1

/** Tells the other nodes what has changed, and hears what they tell. */
async function openNodeChannel(database: Database, forget: (change?: SessionChange) => void) {
  const node = randomUUID()
  // Which nodes have dropped a change that this node waits for.
  const acknowledged = new Map<string, Set<string>>()
  let isCutOff = false
  await database.listen('session_ack', payload => {
    const { change, by }: { change: string; by: string } = JSON.parse(payload)
    acknowledged.get(change)?.add(by)
  })
  await database.listen(
    'session',
    payload => {
      const announced: Announcement = JSON.parse(payload)
      forget(announced)
      if (announced.node !== node) {
        void notifyNodes(database, 'session_ack', { change: announced.change, by: node }).catch(() => {})
      }
    },
    () => {
      isCutOff = false
      forget()
    },
    () => {
      isCutOff = true
    },
  )
  /** Until each other node has dropped the change; past a cache's lifetime none can still have it. */
  const untilAcknowledged = async (change: string): Promise<void> => {
    const others = (await countNodes(database)) - (isCutOff ? 0 : 1)
    const deadline = performance.now() + cacheLifetimeMs
    while ((acknowledged.get(change)?.size ?? 0) < others && performance.now() < deadline) {
      await pause(acknowledgementCheckMs)
    }
  }
  return {
    isCutOff: (): boolean => isCutOff,
    announce: async (change: SessionChange): Promise<void> => {
      const id = randomUUID()
      acknowledged.set(id, new Set())
      try {
        const announcement: Announcement = { ...change, node, change: id }
        await notifyNodes(database, 'session', announcement)
        await untilAcknowledged(id)
      } finally {
        acknowledged.delete(id)
      }
    },
  }
}

export async function openSessionCache(database: Database, clock: () => number): Promise<SessionCache> {
  const local = createLocalCache(clock)
  const channel = await openNodeChannel(database, local.forget)
  return {
    // Cut off from the other nodes, a node believes nothing that it has cached.
    get: async (token, load) =>
      (channel.isCutOff() ? undefined : local.find(token)) ?? local.load(token, load),
    delete: local.delete,
    forgetEverywhere: change => {
      local.forget(change)
      return channel.announce(change)
    },
  }
}
