import { withConnection, type ConnectionPools } from '../connection-pools.ts'
import { beginTransaction } from '../connection.ts'

/** Asks over the connection of health checks, with the rows of all companies open. */
export const runMonitor = <T extends object>(pools: ConnectionPools, text: string): Promise<T[]> =>
  withConnection(pools, pools.control, undefined, async (client, discard) => {
    try {
      await beginTransaction(client, '*', ' read only')
      const { rows } = await client.query<T>(text)
      await client.query('commit')
      return rows
    } catch (e) {
      discard()
      throw e
    }
  })
