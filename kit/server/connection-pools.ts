import pg from 'pg'
import { typesConfig } from './connection.ts'
import { isServerError, markConnectionError } from './database-error.ts'

export interface PoolSizes {
  readonly pool?: number
  readonly bulk?: number
  /**
   * A commit does not wait for the disk. What a power cut takes then is whole transactions, the latest first;
   * the next commit that does wait keeps all before it.
   */
  readonly asyncCommit?: boolean
}

export interface ConnectionPools {
  readonly main: pg.Pool
  /** Without a statement timeout: COPY and cursors. */
  readonly bulk: pg.Pool
  /** Cancels and health checks, which must get through while every other connection is busy. */
  readonly control: pg.Pool
  /**
   * For short statements that a transaction needs done apart from itself. A connection of their own: all of
   * those of `main` may be held by transactions that wait for such a statement.
   */
  readonly independent: pg.Pool
  readonly config: pg.ClientConfig
}

/** Default number of connections for calls. */
export const defaultPool = 16

export function openConnectionPools(url: string, sizes: PoolSizes): ConnectionPools {
  const session = `-c timezone=Asia/Shanghai${sizes.asyncCommit ? ' -c synchronous_commit=off' : ''}`
  const config = {
    connectionString: url,
    types: typesConfig,
    options: `${session} -c statement_timeout=120000 -c idle_in_transaction_session_timeout=60000`,
    connectionTimeoutMillis: 10_000,
  }
  const main = new pg.Pool({ ...config, max: sizes.pool ?? defaultPool, pipeline: true })
  const bulk = new pg.Pool({ ...config, options: `${session} -c statement_timeout=0`, max: sizes.bulk ?? 4 })
  const control = new pg.Pool({
    ...config,
    options: '-c statement_timeout=3000',
    connectionTimeoutMillis: 3000,
    max: 1,
    allowExitOnIdle: true,
  })
  const apart = new pg.Pool({ ...config, max: 1, pipeline: true, allowExitOnIdle: true })
  // A connection that dies must not end the process: idle ones report it on the pool, those in use on
  // themselves. Their queries fail, the next caller gets a fresh one.
  for (const pool of [main, bulk, control, apart]) {
    pool
      .on('error', () => {})
      .on('connect', client => {
        // The same error then fails what was asked over the connection.
        client.on('error', markConnectionError)
      })
  }
  return { main, bulk, control, independent: apart, config }
}

export interface ConnectionStats {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
  /** How many the pool may open. */
  readonly max: number
}

export const connectionStatsOf = ({ main }: ConnectionPools): ConnectionStats => ({
  busy: main.totalCount - main.idleCount,
  idle: main.idleCount,
  waiting: main.waitingCount,
  max: main.options.max,
})

/** The process id of a connection's backend, which pg keeps but does not declare. */
const backendIdOf = (client: object): unknown => ('processID' in client ? client.processID : undefined)

/**
 * Runs with a connection whose statement is cancelled when the signal aborts. Such a connection is not used
 * again: the cancel may come late.
 */
export async function withConnection<T>(
  pools: ConnectionPools,
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  work: (client: pg.PoolClient, discard: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const client = await pool.connect().catch((error: unknown) => {
    throw isServerError(error) ? error : markConnectionError(error)
  })
  let isBroken = false
  let cancelling: Promise<unknown> | undefined
  const cancel = (): void => {
    isBroken = true
    cancelling = pools.control.query('select pg_cancel_backend($1)', [backendIdOf(client)]).catch(() => {})
  }
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await work(client, () => {
      isBroken = true
    })
  } finally {
    signal?.removeEventListener('abort', cancel)
    await cancelling
    client.release(isBroken)
  }
}
