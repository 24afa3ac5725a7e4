import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyServerOptions } from 'fastify'
import type { App } from '#kit/server/app.ts'
import { openServer } from '#kit/server/server.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { loadInstalledModules } from './modules.ts'

export interface ServeOptions {
  databaseUrl: string
  port: number
  dataDir: string
  /** the demo's accounts are there */
  demo: boolean
  host?: string
}

export interface RunningServer {
  address: string
  app: App
  close(): Promise<void>
}

const repositoryPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { version }: { version: string } = JSON.parse(readFileSync(repositoryPath('package.json'), 'utf8'))

/**
 * One line per call on standard output where a program reads it; a terminal is told of trouble only.
 * `LOG_LEVEL` decides otherwise.
 */
const loggerOptions = (): Pick<FastifyServerOptions, 'logger'> => ({
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
}: ServeOptions): Promise<RunningServer> {
  const web = repositoryPath('dist/web')
  const server = await openServer({
    databaseUrl,
    dataDir,
    loadCaller: createCallerLoader,
    version,
    installed: await loadInstalledModules(),
    logging: loggerOptions(),
    webDir: existsSync(web) ? web : undefined,
    trustProxy: process.env.TRUST_PROXY || undefined,
    pool: Number(process.env.DATABASE_POOL) || undefined,
    runsJobs: process.env.WORKS !== '0',
    connectionsPerAddress: Number(process.env.CONNECTIONS_PER_ADDRESS) || undefined,
    metricsToken: process.env.METRICS_TOKEN || undefined,
    publicApiDocs: process.env.PUBLIC_API_DOCS === '1',
  })
  try {
    await server.http.listen({ port, host })
    return { address: server.http.listeningOrigin, app: server.app, close: server.close }
  } catch (e) {
    await server.close()
    throw e
  }
}
