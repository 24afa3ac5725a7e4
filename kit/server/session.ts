import { createHash, randomBytes } from 'node:crypto'
import { sql, type Store } from './db.ts'
import type { Caller } from './scope.ts'

/** Hours that an untouched token lives (PERM-10); use moves it on. */
export const idleHours = 8
const cacheMs = 15_000
const touchMs = 60_000

export interface Session {
  readonly caller: Caller
  readonly id: number
  readonly expires: number
}

interface Held {
  session: Session
  loaded: number
  touched: number
}

/**
 * Reads who an operator is and what he may; nothing when he may not work any more. Given by the accounts
 * module.
 */
export type CallerOf = (owner: number, operator: number) => Promise<Caller | undefined>

export interface Sessions {
  open(owner: number, operator: number, at: { ip: string; agent: string; kind?: string }): Promise<string>
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

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Tokens are random and kept as hashes. What a token means is cached briefly; changes are told to every node.
 */
export async function openSessions(store: Store, clock: () => number, callerOf: CallerOf): Promise<Sessions> {
  const held = new Map<string, Held>()
  const loading = new Map<string, Promise<Held | undefined>>()
  // Counts what was forgotten: an answer asked for before that is not kept.
  let forgotten = 0
  const forget = (test: (h: Held) => boolean): void => {
    forgotten++
    for (const [k, h] of held) {
      if (test(h)) {
        held.delete(k)
      }
    }
  }
  await store.listen(
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
    store.tx('*', tx => tx.run(sql`select pg_notify('session', ${JSON.stringify(what)})`))
  const until = (minutes = idleHours * 60): Date => new Date(clock() + minutes * 60_000)

  const read = async (token: string): Promise<Held | undefined> => {
    const before = forgotten
    const row = await store
      .reader('*')
      .one<{ id: number; ownerId: number; operatorId: number; left: string }>(
        sql`
          select id, owner_id, operator_id, extract(epoch from expire_time) * 1000 as left
          from session_token
          where hash = ${hashOf(token)}
            and expire_time > ${new Date(clock())}
            and (end_time is null or end_time > ${new Date(clock())})
        `,
      )
    if (!row) return undefined
    const caller = await callerOf(row.ownerId, row.operatorId)
    if (!caller) return undefined
    const h = {
      session: { caller, id: row.id, expires: Number(row.left) },
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
  const load = (token: string): Promise<Held | undefined> => {
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
  const touch = async (h: Held): Promise<void> => {
    const { caller, id } = h.session
    const end = until(caller.idleMinutes)
    h.touched = clock()
    h.session = { ...h.session, expires: end.getTime() }
    await store
      .tx(caller.ownerId, tx =>
        tx.run(
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
    open: async (owner, operator, at) => {
      const token = randomBytes(32).toString('base64url')
      await store.tx(owner, tx =>
        tx.run(sql`
          insert into session_token (
            owner_id, operator_id, hash, kind, ip, agent, create_time, last_time, expire_time
          )
          values (
            ${owner}, ${operator}, ${hashOf(token)}, ${at.kind ?? 'web'}, ${at.ip},
            ${at.agent.slice(0, 200)}, ${new Date(clock())}, ${new Date(clock())}, ${until()}
          )
        `),
      )
      return token
    },
    find: async (token, peek) => {
      if (!/^[\w-]{43}$/.test(token)) return undefined
      const known = held.get(token)
      const h =
        known && clock() - known.loaded < cacheMs && known.session.expires > clock()
          ? known
          : await load(token)
      if (h && !peek && clock() - h.touched >= touchMs) {
        await touch(h)
      }
      return h?.session
    },
    renew: async token => {
      const fresh = randomBytes(32).toString('base64url')
      const done = await store.tx('*', async tx => {
        const old = await tx.one<{ id: number; ownerId: number }>(
          sql`
            update session_token
            set end_time = ${new Date(clock() + 60_000)}
            where hash = ${hashOf(token)} and end_time is null and expire_time > ${new Date(clock())}
            returning id, owner_id
          `,
        )
        if (!old) return undefined
        await tx.run(sql`
          insert into session_token (
            owner_id, operator_id, hash, kind, ip, agent, create_time, last_time, expire_time
          )
          select owner_id, operator_id, ${hashOf(fresh)}, kind, ip, agent, ${new Date(clock())},
            ${new Date(clock())}, ${until()}
          from session_token
          where owner_id = ${old.ownerId} and id = ${old.id}
        `)
        return old
      })
      return done && fresh
    },
    end: async token => {
      const row = await store.tx('*', tx =>
        tx.one<{ id: number; ownerId: number }>(
          sql`
            update session_token
            set end_time = ${new Date(clock())}
            where hash = ${hashOf(token)} and end_time is null
            returning id, owner_id
          `,
        ),
      )
      held.delete(token)
      if (row) {
        await tell({ owner: row.ownerId, id: row.id })
      }
    },
    endAll: async (owner, operator, but) => {
      await store.tx(owner, tx =>
        tx.run(
          sql`
            update session_token
            set end_time = ${new Date(clock())}
            where owner_id = ${owner}
              and operator_id = ${operator}
              and end_time is null
              and hash <> ${but ? hashOf(but) : Buffer.alloc(0)}
          `,
        ),
      )
      forget(h => h.session.caller.ownerId === owner && h.session.caller.operatorId === operator)
      await tell({ owner, operator })
    },
    endOne: async (owner, operator, id) => {
      const n = await store.tx(owner, tx =>
        tx.run(
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
