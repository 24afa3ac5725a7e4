import type { CompanyScope } from './company-scope.ts'
import { withConnection, type ConnectionPools } from './connection-pools.ts'
import { beginTransaction, corkUntilNextTick, sendStatement, toObjects } from './connection.ts'
import { compileLogged, type Statement } from './statement.ts'

/**
 * One statement of a company that takes effect at once, whatever becomes of the transactions under way. It
 * must touch no row that a transaction holds: that one may be waiting for it here.
 */
export const runInOwnTransaction = <T>(
  pools: ConnectionPools,
  ownerId: CompanyScope,
  statement: Statement<T>,
): Promise<T[]> =>
  withConnection(pools, pools.independent, undefined, async (client, discard) => {
    const compiled = compileLogged(statement, ownerId)
    corkUntilNextTick(client)
    try {
      const [, sent] = await Promise.all([
        beginTransaction(client, ownerId),
        sendStatement(client, compiled),
        client.query('commit'),
      ])
      return toObjects<T>(sent)
    } catch (e) {
      // The other answers are still on their way: this connection is not given to another.
      discard()
      throw e
    }
  })
