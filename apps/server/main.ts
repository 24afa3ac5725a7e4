import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Server as HttpServer } from 'node:http'
import type { FastifyServerOptions } from 'fastify'
import type { App } from '#kit/server/app.ts'
import type { InstalledModule } from '#kit/server/handler.ts'
import { closeTracing, openTracing } from '#kit/server/observation/tracing.ts'
import { openServer } from '#kit/server/server.ts'
import { assertSettings } from '#kit/server/setting.ts'
import { settings } from '#kit/server/settings.ts'
import { takeOver } from '#kit/server/startup/early-server.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { loadInstalledModules } from './modules.ts'
import { settingGroups } from './setting-groups.ts'

export interface ServeOptions {
  databaseUrl: string
  port: number
  dataDir: string
  host?: string
  /** Listens on the port already: its connections are taken over, with its port and host. */
  early?: HttpServer
}

export interface RunningServer {
  address: string
  app: App
  close(): Promise<void>
}

const repositoryPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { version }: { version: string } = JSON.parse(readFileSync(repositoryPath('package.json'), 'utf8'))

/**
 * One line per call on standard output where a program reads it; a terminal gets warnings and errors only.
 * `LOG_LEVEL` decides otherwise.
 */
const loggerOptions = (): Pick<FastifyServerOptions, 'logger'> => ({
  logger: {
    level: settings.logLevel.read() || (process.stdout.isTTY ? 'warn' : 'info'),
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  },
})

/** Residents and other people without an account get a page without the back office. */
const publicPageFiles = (installed: readonly InstalledModule[]): ReadonlyMap<string, string> =>
  new Map(
    installed
      .flatMap(({ manifest }) => manifest.screens)
      .filter(({ publicPage }) => publicPage)
      .map(({ path }) => [path.toLowerCase().replace(/^\//, ''), 'resident.html']),
  )

/**
 * Serves the product on a port until closed. `HOST` is the address to listen on, `TRUST_PROXY` the proxies
 * whose forwarded addresses are trusted; `WORKS=0` leaves tasks and crons to other processes.
 */
export async function serve({
  databaseUrl,
  port,
  dataDir,
  host = settings.host.read(),
  early,
}: ServeOptions): Promise<RunningServer> {
  assertSettings(settingGroups)
  await openTracing(version)
  const web = repositoryPath('dist/web')
  const installed = await loadInstalledModules()
  const server = await openServer({
    databaseUrl,
    dataDir,
    loadCaller: createCallerLoader,
    version,
    installed,
    logging: loggerOptions(),
    webDir: existsSync(web) ? web : undefined,
    pageFiles: publicPageFiles(installed),
    trustProxy: settings.trustProxy.read(),
    pool: settings.databasePool.read(),
    runsJobs: settings.runsJobs.read(),
    connectionsPerAddress: settings.connectionsPerAddress.read(),
    metricsToken: settings.metricsToken.read() || undefined,
    publicApiDocs: settings.publicApiDocs.read(),
  })
  try {
    await (early ? takeOver(early, server.http.server) : server.http.listen({ port, host }))
    const close = async (): Promise<void> => {
      await server.close()
      await closeTracing()
    }
    return { address: server.http.listeningOrigin, app: server.app, close }
  } catch (e) {
    await server.close()
    throw e
  }
}
