import fastify from 'fastify'
import pg from 'pg'

export interface Serving {
  databaseUrl: string
  port: number
  dataDir: string
  /** the demo's accounts are there */
  demo: boolean
  host?: string
}

export interface Served {
  address: string
  close(): Promise<void>
}

/** Serves the product on a port until closed. */
export async function serve({ databaseUrl, port, host = '127.0.0.1' }: Serving): Promise<Served> {
  const pool = new pg.Pool({ connectionString: databaseUrl })
  pool.on('error', () => {})
  const app = fastify({ forceCloseConnections: true })
  app.get('/healthz', () => ({ ok: true }))
  app.get('/readyz', async () => {
    await pool.query('select 1')
    return { ok: true }
  })
  const address = await app.listen({ port, host })
  const close = async () => {
    await app.close()
    await pool.end()
  }
  return { address, close }
}
