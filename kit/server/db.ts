import { defined } from '#kit/domain/defined.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { companyScopeSql, type CompanyScope } from './company-scope.ts'
import { corkUntilNextTick, sendStatement, toObjects, typesConfig, type RawResult } from './connection.ts'
import { openListener } from './listener.ts'
import { logStatement } from './statement-log.ts'
import { queryBuilder, compileStatement, type Statement, type CompiledStatement } from './statement.ts'

export { queryBuilder, sql }
export type { Statement, RawBuilder }

const compileLogged = (q: Statement<any>, owner: CompanyScope): CompiledStatement => {
  const made = compileStatement(q)
  logStatement?.(made.sql, made.parameters, owner)
  return made
}

/** Statements inside one company's wall. Rows come with camelCase keys; an absent value is an absent key. */
export interface Db {
  /**
   * The company, or `*` for the installation's own work (sign-in, jobs): row-level security opens for no one
   * else.
   */
  readonly ownerId: CompanyScope
  rows<T>(q: Statement<T>): Promise<T[]>
  one<T>(q: Statement<T>): Promise<T | undefined>
  /** How many rows it touched. */
  execute(q: Statement): Promise<number>
  /** Several reads in one round trip. */
  all<T extends readonly unknown[]>(
    ...qs: { readonly [K in keyof T]: Statement<T[K]> }
  ): Promise<{ -readonly [K in keyof T]: T[K][] }>
}

/** A transaction: everything said through it happens, or nothing. */
export interface Tx extends Db {
  readonly inTransaction: true
  /** Runs after the commit, never after a rollback. */
  onCommit(work: () => void): void
  /**
   * Said in one breath with the commit: for what nobody reads before (an audit row, a mark). When it fails,
   * nothing has happened.
   */
  defer(q: Statement): void
}

export interface Database {
  /**
   * Reads, each in a transaction of its own, one round trip. A statement under way ends when the signal says
   * so.
   */
  reader(owner: CompanyScope, signal?: () => AbortSignal): Db
  /**
   * All of it or nothing. Work chosen as a victim of a deadlock or of serialisation runs again, up to three
   * times: it must do no more than its transaction undoes.
   */
  tx<T>(owner: CompanyScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** A connection that can COPY and hold cursors, inside the company's wall and one transaction. */
  bulk<T>(owner: CompanyScope, work: (c: pg.PoolClient) => Promise<T>): Promise<T>
  /**
   * Hears a channel, all channels over one connection of their own. `gap` runs when that was away for a
   * while: what was said meanwhile is lost.
   */
  listen(channel: string, heard: (payload: string) => void, gap?: () => void): Promise<void>
  /** Connections in use, idle and callers waiting for one. */
  connectionStats(): { readonly busy: number; readonly idle: number; readonly waiting: number }
  /** Throws when the database does not answer soon. */
  ping(): Promise<void>
  readonly url: string
  close(): Promise<void>
}

/**
 * Opens a transaction that sees this company's rows. Two messages in one trip: a distributed engine hands the
 * whole text of a message with `set local` on to its nodes, and a `begin` in it would be one too many there.
 */
const begin = (c: pg.ClientBase, owner: CompanyScope, mode = ''): Promise<unknown> =>
  Promise.all([c.query(`begin${mode}`), c.query(companyScopeSql(owner))])

const ignoreRejection = (p: Promise<unknown>): void => {
  p.catch(() => {})
}

/**
 * PostgreSQL chose this transaction as a deadlock's victim or could not serialise it: nothing of it has
 * happened.
 */
const isRetriable = (e: unknown): boolean => ['40001', '40P01'].includes((e as { code?: string })?.code ?? '')

/**
 * How long a victim stands aside before each new try, about, in ms. Coming back at once it can take the lock
 * before the one it gave way to has woken, and both stand in the same ring again.
 */
const retryDelaysMs = [40, 120, 360]

/**
 * PostgreSQL cannot be reached or is going down: the caller may come back soon. Of a node that dies under a
 * statement a distributed engine tells in the message alone.
 */
export const isDatabaseUnavailable = (e: unknown): boolean => {
  const x = e as { code?: string; message?: string }
  return (
    /^(08|57P0|53)/.test(x?.code ?? '') ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'].includes(x?.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|server closed the connection unexpectedly|failure on connection marked as essential/.test(
      x?.message ?? '',
    )
  )
}

/**
 * `hasty`: a commit does not wait for the disk. What a power cut takes then is whole transactions, the latest
 * first; the next commit of anyone else's keeps all before it.
 */
export function openDatabase(
  url: string,
  size: { pool?: number; bulk?: number; asyncCommit?: boolean } = {},
): Database {
  const zone = `-c timezone=Asia/Shanghai${size.asyncCommit ? ' -c synchronous_commit=off' : ''}`
  const config = {
    connectionString: url,
    types: typesConfig,
    options: `${zone} -c statement_timeout=120000 -c idle_in_transaction_session_timeout=60000`,
    connectionTimeoutMillis: 10_000,
  }
  const pool = new pg.Pool({ ...config, max: size.pool ?? 16, pipeline: true })
  const slow = new pg.Pool({ ...config, options: `${zone} -c statement_timeout=0`, max: size.bulk ?? 4 })
  // Cancels and health checks must get through while every other connection is busy.
  const care = new pg.Pool({
    ...config,
    options: '-c statement_timeout=3000',
    connectionTimeoutMillis: 3000,
    max: 1,
    allowExitOnIdle: true,
  })
  // A connection that dies must not end the process: idle ones are told of on the pool, those in use on
  // themselves. Their queries fail, the next caller gets a fresh one.
  for (const p of [pool, slow, care]) {
    p.on('error', () => {}).on('connect', c => {
      c.on('error', () => {})
    })
  }
  const ears = openListener(config)

  /**
   * Runs with a connection whose statement is cancelled when the signal says so. Such a connection is not
   * used again: the cancel may come late.
   */
  const holding = async <T>(
    from: pg.Pool,
    signal: AbortSignal | undefined,
    work: (c: pg.PoolClient, spoil: () => void) => Promise<T>,
  ): Promise<T> => {
    signal?.throwIfAborted()
    const c = await from.connect()
    let broken = false
    let cancelling: Promise<unknown> | undefined
    const stop = (): void => {
      broken = true
      cancelling = care
        .query('select pg_cancel_backend($1)', [(c as unknown as { processID: number }).processID])
        .catch(() => {})
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await work(c, () => {
        broken = true
      })
    } finally {
      signal?.removeEventListener('abort', stop)
      await cancelling
      c.release(broken)
    }
  }

  const reader = (owner: CompanyScope, signal?: () => AbortSignal): Db => {
    const all = (...qs: Statement<any>[]): Promise<RawResult[]> => {
      const texts = qs.map(q => compileLogged(q, owner))
      return holding(pool, signal?.(), async (c, spoil) => {
        corkUntilNextTick(c)
        const said = [
          begin(c, owner, ' read only'),
          ...texts.map(q => sendStatement(c, q)),
          c.query('commit'),
        ]
        const settled = await Promise.allSettled(said)
        const bad = settled.find(s => s.status === 'rejected')
        if (bad) {
          if (!(bad.reason as { severity?: string }).severity || isDatabaseUnavailable(bad.reason)) {
            spoil()
          }
          throw bad.reason
        }
        return settled.slice(1, -1).map(s => (s as PromiseFulfilledResult<unknown>).value as RawResult)
      })
    }
    return {
      ownerId: owner,
      rows: async q => toObjects(defined((await all(q))[0])),
      one: async q => toObjects<never>(defined((await all(q))[0]))[0],
      execute: async q => defined((await all(q))[0]).rowCount ?? 0,
      all: async (...qs) => (await all(...(qs as unknown as Statement[]))).map(r => toObjects(r)) as never,
    }
  }

  const once = <T>(owner: CompanyScope, work: (tx: Tx) => Promise<T>): Promise<T> =>
    holding(pool, undefined, async (c, spoil) => {
      const later: (() => void)[] = []
      const last: CompiledStatement[] = []
      corkUntilNextTick(c)
      const begun = begin(c, owner)
      ignoreRejection(begun)
      const ask = async (q: Statement<any>): Promise<RawResult> => sendStatement(c, compileLogged(q, owner))
      const tx: Tx = {
        ownerId: owner,
        inTransaction: true,
        onCommit: w => {
          later.push(w)
        },
        defer: q => {
          last.push(compileLogged(q, owner))
        },
        rows: async q => toObjects(await ask(q)),
        one: async q => toObjects<never>(await ask(q))[0],
        execute: async q => (await ask(q)).rowCount ?? 0,
        all: async (...qs) =>
          (await Promise.all(qs.map(q => ask(q as Statement)))).map(r => toObjects(r)) as never,
      }
      let answer: T
      try {
        answer = await work(tx)
        await begun
      } catch (e) {
        await c.query('rollback').catch(spoil)
        throw e
      }
      // A connection that died under its commit is nobody's next one.
      corkUntilNextTick(c)
      const riders = Promise.all(last.map(q => sendStatement(c, q)))
      ignoreRejection(riders)
      const end = await c.query('commit').catch((e: unknown) => {
        spoil()
        throw e
      })
      await riders
      if (end.command === 'ROLLBACK') throw new Error('transaction was aborted')
      for (const w of later) {
        w()
      }
      return answer
    })

  return {
    url,
    reader,
    tx: async (owner, work) => {
      for (const ms of retryDelaysMs) {
        try {
          return await once(owner, work)
        } catch (e) {
          if (!isRetriable(e)) throw e
        }
        await pause(ms * (0.5 + Math.random()))
      }
      return once(owner, work)
    },
    bulk: (owner, work) =>
      holding(slow, undefined, async (c, spoil) => {
        await begin(c, owner)
        try {
          const answer = await work(c)
          await c.query('commit')
          return answer
        } catch (e) {
          await c.query('rollback').catch(spoil)
          throw e
        }
      }),
    listen: ears.listen,
    connectionStats: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    ping: async () => {
      await care.query('select 1')
    },
    close: async () => {
      await Promise.all([pool.end(), slow.end(), care.end(), ears.end()])
    },
  }
}
