import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyServerOptions } from 'fastify'
import { openServer } from '#kit/server/server.ts'
import { callerOf } from '#modules/accounts/server/public.ts'
import { installed } from './modules.ts'

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

const here = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { version } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as { version: string }

/**
 * One line per call on standard output where a program reads it; a terminal is told of trouble only.
 * `LOG_LEVEL` decides otherwise.
 */
const logging = (): Pick<FastifyServerOptions, 'logger'> => ({
  logger: {
    level: process.env.LOG_LEVEL || (process.stdout.isTTY ? 'warn' : 'info'),
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  },
})

/**
 * Serves the product on a port until closed. `HOST` and `TRUST_PROXY` say where it listens and whose
 * forwarded addresses it believes; `WORKS=0` leaves tasks and crons to other processes.
 */
export async function serve({
  databaseUrl,
  port,
  dataDir,
  host = process.env.HOST || '127.0.0.1',
}: Serving): Promise<Served> {
  const web = here('dist/web')
  const server = await openServer({
    databaseUrl,
    dataDir,
    callerOf,
    version,
    installed: await installed(),
    logging: logging(),
    webDir: existsSync(web) ? web : undefined,
    trustProxy: process.env.TRUST_PROXY || undefined,
    pool: Number(process.env.DATABASE_POOL) || undefined,
    works: process.env.WORKS !== '0',
  })
  try {
    await server.app.listen({ port, host })
    return { address: server.app.listeningOrigin, close: server.close }
  } catch (e) {
    await server.close()
    throw e
  }
}
