import type { CompanyScope } from './company-scope.ts'
import { withConnection, type ConnectionPools } from './connection-pools.ts'
import {
  beginTransaction,
  corkUntilNextTick,
  renewStatementNames,
  sendStatement,
  type RawResult,
} from './connection.ts'
import { isDatabaseUnavailable, isOutdatedPlan, isServerError } from './database-error.ts'
import { compileLogged, type Statement } from './statement.ts'

/** Runs the statements in one read-only transaction, sent in one write. */
const readAllOnce = (
  pools: ConnectionPools,
  ownerId: CompanyScope,
  statements: readonly Statement[],
  signal: AbortSignal | undefined,
): Promise<RawResult[]> => {
  const compiled = statements.map(statement => compileLogged(statement, ownerId))
  return withConnection(pools, pools.main, signal, async (client, discard) => {
    corkUntilNextTick(client)
    const started = beginTransaction(client, ownerId, ' read only')
    const reads = compiled.map(statement => sendStatement(client, statement))
    const committed = client.query('commit')
    const settled = await Promise.allSettled([started, ...reads, committed])
    const failure = settled.find(result => result.status === 'rejected')
    if (failure) {
      if (!isServerError(failure.reason) || isDatabaseUnavailable(failure.reason)) {
        discard()
      }
      throw failure.reason
    }
    return Promise.all(reads)
  })
}

/** Runs the statements, again where a migration has changed their result columns. */
export const readAll = async (
  pools: ConnectionPools,
  ownerId: CompanyScope,
  statements: readonly Statement[],
  signal: AbortSignal | undefined,
): Promise<RawResult[]> => {
  try {
    return await readAllOnce(pools, ownerId, statements, signal)
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error
    renewStatementNames()
    return readAllOnce(pools, ownerId, statements, signal)
  }
}
