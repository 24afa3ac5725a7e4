import { defined } from '#kit/domain/defined.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { runInOwnTransaction } from './run-independently.ts'
import { CompanyLocked, runWhenUnlocked, shareCompanyLock, type CompanyScope } from './company-scope.ts'
import {
  connectionStatsOf,
  defaultPool,
  openConnectionPools,
  withConnection,
  type ConnectionPools,
  type ConnectionStats,
  type PoolSizes,
} from './connection-pools.ts'
import { readAll } from './read-statements.ts'
import {
  beginTransaction,
  corkUntilNextTick,
  ignoreRejection,
  renewStatementNames,
  sendStatement,
  toObjects,
  type RawResult,
} from './connection.ts'
import { isAborted, isDatabaseUnavailable, isOutdatedPlan, isRetriable } from './database-error.ts'
import { DocumentNumbers } from './document-numbers.ts'
import { runMonitor } from './observation/monitor.ts'
import { openListener } from './listener.ts'
import { queryBuilder, compileLogged, type Statement, type CompiledStatement } from './statement.ts'

export { defaultPool, isDatabaseUnavailable, queryBuilder, sql }
export type { Statement, RawBuilder }

/** Statements within one company's data. Rows come with camelCase keys; an absent value is an absent key. */
export interface Db {
  /**
   * The company, or `*` for the installation's own work (sign-in, jobs), the only one that row-level security
   * lets read every company.
   */
  readonly ownerId: CompanyScope
  rows<T>(statement: Statement<T>): Promise<T[]>
  one<T>(statement: Statement<T>): Promise<T | undefined>
  /** How many rows it touched. */
  execute(statement: Statement): Promise<number>
  /** Several reads in one round trip. */
  all<T extends readonly unknown[]>(
    ...statements: { readonly [K in keyof T]: Statement<T[K]> }
  ): Promise<{ -readonly [K in keyof T]: T[K][] }>
}

/** A transaction: all of its statements take effect, or none. */
export interface Tx extends Db {
  readonly inTransaction: true
  /** Numbers of documents: one that is taken stays taken, whatever becomes of this transaction (G-14). */
  readonly numbers: DocumentNumbers
  /**
   * Runs after the commit, never after a rollback. Its promise is awaited: the transaction's caller goes on
   * when it is done. A failure of it undoes nothing and is the callback's own to report.
   */
  onCommit(work: () => unknown): void
  /**
   * Sent together with the commit, for what the transaction itself does not read (an audit row, a mark). When
   * it fails, the transaction fails. A function is called then, once all work of the transaction is done: for
   * one statement about all of it.
   */
  defer(statement: Statement | (() => Statement)): void
}

export interface Database {
  /**
   * Reads, each in a transaction of its own, one round trip. A statement under way is cancelled when the
   * signal aborts.
   */
  reader(ownerId: CompanyScope, signal?: () => AbortSignal): Db
  /**
   * All of it or nothing. Work chosen as the victim of a deadlock or a serialisation failure runs again, up
   * to three times: it must have no effect that its transaction does not roll back.
   */
  tx<T>(ownerId: CompanyScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement over a connection that no transaction keeps; it must touch no row that one has locked. */
  apart<T>(ownerId: CompanyScope, statement: Statement<T>): Promise<T[]>
  /** Numbers of documents, for all transactions of this process. */
  readonly numbers: DocumentNumbers
  /** A connection that can COPY and hold cursors, within the company's data and one transaction. */
  bulk<T>(ownerId: CompanyScope, work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /**
   * Listens on a channel; all channels share one connection of their own. `onGap` runs when that connection
   * was lost for a while: the notifications of that time are lost. `onLost` runs as soon as it is lost.
   */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onGap?: () => void,
    onLost?: () => void,
  ): Promise<void>
  /** Connections in use, idle and callers waiting for one. */
  connectionStats(): ConnectionStats
  /**
   * Asks over the connection of health checks, which gets through while every other one is busy, with the
   * rows of all companies open.
   */
  monitor<T extends object>(text: string): Promise<T[]>
  /** Throws when the database does not answer soon. */
  ping(): Promise<void>
  readonly url: string
  close(): Promise<void>
}

/**
 * About how long a victim waits before each new try, in ms. Trying again at once it could take the lock
 * before the transaction it gave way to wakes, and both would be in the same deadlock again.
 */
const retryDelaysMs = [40, 120, 360]

const openReader = (pools: ConnectionPools, ownerId: CompanyScope, signal?: () => AbortSignal): Db => {
  const read = async (statement: Statement): Promise<RawResult> =>
    defined((await readAll(pools, ownerId, [statement], signal?.()))[0])
  return {
    ownerId,
    rows: async statement => toObjects(await read(statement)),
    one: async <T>(statement: Statement<T>) => toObjects<T>(await read(statement))[0],
    execute: async statement => (await read(statement)).rowCount ?? 0,
    all: async (...statements) =>
      (await readAll(pools, ownerId, statements, signal?.())).map(result => toObjects(result)) as never,
  }
}

interface OpenTransaction {
  readonly tx: Tx
  readonly afterCommit: readonly (() => void)[]
  /** To be called once, at the end. */
  readonly deferred: () => readonly CompiledStatement[]
  /** The failure that aborted the transaction. */
  readonly cause: () => Error | undefined
}

function openTransaction(
  client: pg.PoolClient,
  ownerId: CompanyScope,
  numbers: DocumentNumbers,
): OpenTransaction {
  const afterCommit: (() => unknown)[] = []
  const deferred: (() => CompiledStatement)[] = []
  let cause: Error | undefined
  const send = async (statement: Statement): Promise<RawResult> =>
    sendStatement(client, compileLogged(statement, ownerId)).catch((error: unknown) => {
      cause = error instanceof Error && !isAborted(error) ? error : cause
      throw error
    })
  const tx: Tx = {
    ownerId,
    inTransaction: true,
    numbers,
    onCommit: work => {
      afterCommit.push(work)
    },
    defer: statement => {
      if (typeof statement === 'function') {
        deferred.push(() => compileLogged(statement(), ownerId))
      } else {
        const compiled = compileLogged(statement, ownerId)
        deferred.push(() => compiled)
      }
    },
    rows: async statement => toObjects(await send(statement)),
    one: async <T>(statement: Statement<T>) => toObjects<T>(await send(statement))[0],
    execute: async statement => (await send(statement)).rowCount ?? 0,
    all: async (...statements) =>
      (await Promise.all(statements.map(send))).map(result => toObjects(result)) as never,
  }
  return { tx, afterCommit, deferred: () => deferred.map(compile => compile()), cause: () => cause }
}

interface Committed<T> {
  readonly result: T
  readonly afterCommit: readonly (() => unknown)[]
}

/** Why a transaction did not begin, where its company is locked. Its answer has come by then. */
const lockFaultOf = (begun: Promise<unknown>): Promise<CompanyLocked | undefined> =>
  begun.then(
    () => undefined,
    (error: unknown) => (error instanceof CompanyLocked ? error : undefined),
  )

/** One try of a transaction. */
const commitTransaction = <T>(
  pools: ConnectionPools,
  numbers: DocumentNumbers,
  ownerId: CompanyScope,
  work: (tx: Tx) => Promise<T>,
): Promise<Committed<T>> =>
  withConnection(pools, pools.main, undefined, async (client, discard) => {
    corkUntilNextTick(client)
    const begun = Promise.all([beginTransaction(client, ownerId), shareCompanyLock(client, ownerId)])
    ignoreRejection(begun)
    const { tx, afterCommit, deferred, cause } = openTransaction(client, ownerId, numbers)
    let result: T
    let last: readonly CompiledStatement[]
    try {
      result = await work(tx)
      await begun
      last = deferred()
    } catch (e) {
      await client.query('rollback').catch(discard)
      // Of several statements sent at once a later one may be heard first: what it says is no reason.
      const reason = (await lockFaultOf(begun)) ?? ((isAborted(e) && cause()) || e)
      if (isOutdatedPlan(reason)) {
        renewStatementNames()
      }
      throw reason
    }
    corkUntilNextTick(client)
    const deferredResults = Promise.all(last.map(statement => sendStatement(client, statement)))
    ignoreRejection(deferredResults)
    // A connection that dies during its commit must not return to the pool.
    const committed = await client.query('commit').catch((e: unknown) => {
      discard()
      throw e
    })
    await deferredResults
    if (committed.command === 'ROLLBACK') throw cause() ?? new Error('transaction was aborted')
    return { result, afterCommit }
  })

/**
 * A transaction, and what follows it: that may need a connection, so this one's is back in the pool by then.
 */
async function runTransaction<T>(
  pools: ConnectionPools,
  numbers: DocumentNumbers,
  ownerId: CompanyScope,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { result, afterCommit } = await commitTransaction(pools, numbers, ownerId, work)
  await Promise.allSettled(afterCommit.map(async callback => callback()))
  return result
}

async function runWithRetries<T>(run: () => Promise<T>): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await run()
    } catch (e) {
      if (!isRetriable(e)) throw e
    }
    await pause(delayMs * (0.5 + Math.random()))
  }
  return run()
}

const runBulk = <T>(
  pools: ConnectionPools,
  ownerId: CompanyScope,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  withConnection(pools, pools.bulk, undefined, async (client, discard) => {
    try {
      await beginTransaction(client, ownerId)
      await shareCompanyLock(client, ownerId)
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (e) {
      await client.query('rollback').catch(discard)
      throw e
    }
  })

export function openDatabase(url: string, sizes: PoolSizes = {}): Database {
  const pools = openConnectionPools(url, sizes)
  const listener = openListener(pools.config)
  const apart: Database['apart'] = (ownerId, statement) => runInOwnTransaction(pools, ownerId, statement)
  const numbers = new DocumentNumbers(apart)
  return {
    url,
    apart,
    numbers,
    reader: (ownerId, signal) => openReader(pools, ownerId, signal),
    tx: (ownerId, work) =>
      runWhenUnlocked(ownerId, () => runWithRetries(() => runTransaction(pools, numbers, ownerId, work))),
    bulk: (ownerId, work) => runWhenUnlocked(ownerId, () => runBulk(pools, ownerId, work)),
    listen: listener.listen,
    connectionStats: () => connectionStatsOf(pools),
    monitor: text => runMonitor(pools, text),
    ping: async () => {
      await pools.control.query('select 1')
    },
    close: async () => {
      await Promise.all([
        pools.main.end(),
        pools.bulk.end(),
        pools.control.end(),
        pools.independent.end(),
        listener.end(),
      ])
    },
  }
}
