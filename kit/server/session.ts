import { defined } from '#kit/domain/defined.ts'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database } from './db.ts'
import type { Caller } from './scope.ts'
import { addEntry, findEntry } from './directory.ts'

/** Hours that an untouched token lives (PERM-10); use moves it on. */
export const idleHours = 8
const cacheLifetimeMs = 15_000
const touchIntervalMs = 60_000

export interface Session {
  readonly caller: Caller
  readonly id: number
  readonly expiresAt: number
}

interface CachedSession {
  session: Session
  loaded: number
  touched: number
}

/**
 * Reads who an operator is and what he may; nothing when he may not work any more. Given by the accounts
 * module.
 */
export type LoadCaller = (owner: number, operator: number) => Promise<Caller | undefined>

export interface Sessions {
  create(owner: number, operator: number, at: { ip: string; agent: string; kind?: string }): Promise<string>
  /**
   * The session behind a token; nothing when it is unknown, ended or idle too long. Counts as use unless
   * `peek`.
   */
  find(token: string, peek?: boolean): Promise<Session | undefined>
  /** A new token for an old one, which ends (a minute's grace lets requests under way finish). */
  renew(token: string): Promise<string | undefined>
  end(token: string): Promise<void>
  /** Ends an operator's sessions on all nodes at once, or only makes them read his rights anew. */
  endAll(owner: number, operator: number, but?: string): Promise<void>
  /** Ends one session of an operator by its number; whether there was one. */
  endOne(owner: number, operator: number, id: number): Promise<boolean>
  refresh(owner: number, operator: number | 'all'): Promise<void>
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
const tokenKey = (token: string): string => hashToken(token).toString('hex')

/**
 * Tokens are random and kept as hashes. What a token means is cached briefly; changes are told to every node.
 */
export async function openSessions(
  database: Database,
  clock: () => number,
  callerOf: LoadCaller,
): Promise<Sessions> {
  const held = new Map<string, CachedSession>()
  const loading = new Map<string, Promise<CachedSession | undefined>>()
  // Counts what was forgotten: an answer asked for before that is not kept.
  let forgotten = 0
  const forget = (test: (h: CachedSession) => boolean): void => {
    forgotten++
    for (const [k, h] of held) {
      if (test(h)) {
        held.delete(k)
      }
    }
  }
  await database.listen(
    'session',
    said => {
      const { owner, operator, id } = JSON.parse(said) as {
        owner: number
        operator?: number | 'all'
        id?: number
      }
      forget(
        h =>
          h.session.caller.ownerId === owner &&
          (id !== undefined
            ? h.session.id === id
            : operator === 'all' || h.session.caller.operatorId === operator),
      )
    },
    () => forget(() => true),
  )
  const tell = (what: object): Promise<number> =>
    database.tx('*', tx => tx.execute(sql`select pg_notify('session', ${JSON.stringify(what)})`))
  const until = (minutes = idleHours * 60): Date => new Date(clock() + minutes * 60_000)

  const read = async (token: string): Promise<CachedSession | undefined> => {
    const before = forgotten
    const entry = await findEntry(database.reader('*'), 'session', tokenKey(token))
    if (!entry) return undefined
    const row = await database
      .reader(entry.ownerId)
      .one<{ id: number; ownerId: number; operatorId: number; left: string }>(
        sql`
          select id, owner_id, operator_id, extract(epoch from expire_time) * 1000 as left
          from session_token
          where owner_id = ${entry.ownerId}
            and id = ${entry.refId}
            and expire_time > ${new Date(clock())}
            and (end_time is null or end_time > ${new Date(clock())})
        `,
      )
    if (!row) return undefined
    const caller = await callerOf(row.ownerId, row.operatorId)
    if (!caller) return undefined
    const h = {
      session: { caller, id: row.id, expiresAt: Number(row.left) },
      loaded: clock(),
      touched: held.get(token)?.touched ?? 0,
    }
    if (held.size > 20_000) {
      held.clear()
    }
    if (before === forgotten) {
      held.set(token, h)
    }
    return h
  }
  const load = (token: string): Promise<CachedSession | undefined> => {
    const known = loading.get(token)
    if (known) return known
    const p = read(token).finally(() => loading.delete(token))
    loading.set(token, p)
    return p
  }
  /**
   * Waited for, once a minute: whoever reads the session anew in the meantime must find the use that was made
   * of it.
   */
  const touch = async (h: CachedSession): Promise<void> => {
    const { caller, id } = h.session
    const end = until(caller.idleMinutes)
    h.touched = clock()
    h.session = { ...h.session, expiresAt: end.getTime() }
    await database
      .tx(caller.ownerId, tx =>
        tx.execute(
          sql`
            update session_token
            set last_time = ${new Date(clock())}, expire_time = ${end}
            where owner_id = ${caller.ownerId} and id = ${id} and end_time is null
          `,
        ),
      )
      .catch(() => {})
  }

  return {
    create: async (owner, operator, at) => {
      const token = randomBytes(32).toString('base64url')
      await database.tx(owner, async tx => {
        const made = await tx.one<{ id: number }>(sql`
          insert into session_token (
            owner_id, operator_id, hash, kind, ip, agent, create_time, last_time, expire_time
          )
          values (
            ${owner}, ${operator}, ${hashToken(token)}, ${at.kind ?? 'web'}, ${at.ip},
            ${at.agent.slice(0, 200)}, ${new Date(clock())}, ${new Date(clock())}, ${until()}
          )
          returning id
        `)
        await addEntry(tx, 'session', tokenKey(token), { ownerId: owner, refId: defined(made).id })
      })
      return token
    },
    find: async (token, peek) => {
      if (!/^[\w-]{43}$/.test(token)) return undefined
      const known = held.get(token)
      const h =
        known && clock() - known.loaded < cacheLifetimeMs && known.session.expiresAt > clock()
          ? known
          : await load(token)
      if (h && !peek && clock() - h.touched >= touchIntervalMs) {
        await touch(h)
      }
      return h?.session
    },
    renew: async token => {
      const fresh = randomBytes(32).toString('base64url')
      const entry = await findEntry(database.reader('*'), 'session', tokenKey(token))
      if (!entry) return undefined
      const { ownerId, refId } = entry
      const done = await database.tx(ownerId, async tx => {
        const ended = await tx.execute(
          sql`
            update session_token
            set end_time = ${new Date(clock() + 60_000)}
            where owner_id = ${ownerId}
              and id = ${refId}
              and end_time is null
              and expire_time > ${new Date(clock())}
          `,
        )
        if (!ended) return false
        const made = await tx.one<{ id: number }>(sql`
          insert into session_token (
            owner_id, operator_id, hash, kind, ip, agent, create_time, last_time, expire_time
          )
          select owner_id, operator_id, ${hashToken(fresh)}, kind, ip, agent, ${new Date(clock())},
            ${new Date(clock())}, ${until()}
          from session_token
          where owner_id = ${ownerId} and id = ${refId}
          returning id
        `)
        await addEntry(tx, 'session', tokenKey(fresh), { ownerId, refId: defined(made).id })
        return true
      })
      return done ? fresh : undefined
    },
    end: async token => {
      const entry = await findEntry(database.reader('*'), 'session', tokenKey(token))
      if (entry) {
        await database.tx(entry.ownerId, tx =>
          tx.execute(
            sql`
              update session_token
              set end_time = ${new Date(clock())}
              where owner_id = ${entry.ownerId} and id = ${entry.refId} and end_time is null
            `,
          ),
        )
      }
      held.delete(token)
      if (entry) {
        await tell({ owner: entry.ownerId, id: entry.refId })
      }
    },
    endAll: async (owner, operator, but) => {
      await database.tx(owner, tx =>
        tx.execute(
          sql`
            update session_token
            set end_time = ${new Date(clock())}
            where owner_id = ${owner}
              and operator_id = ${operator}
              and end_time is null
              and hash <> ${but ? hashToken(but) : Buffer.alloc(0)}
          `,
        ),
      )
      forget(h => h.session.caller.ownerId === owner && h.session.caller.operatorId === operator)
      await tell({ owner, operator })
    },
    endOne: async (owner, operator, id) => {
      const n = await database.tx(owner, tx =>
        tx.execute(
          sql`
            update session_token
            set end_time = ${new Date(clock())}
            where owner_id = ${owner} and operator_id = ${operator} and id = ${id} and end_time is null
          `,
        ),
      )
      forget(h => h.session.caller.ownerId === owner && h.session.id === id)
      await tell({ owner, id })
      return n > 0
    },
    refresh: async (owner, operator) => {
      forget(
        h =>
          h.session.caller.ownerId === owner &&
          (operator === 'all' || h.session.caller.operatorId === operator),
      )
      await tell({ owner, operator })
    },
  }
}
