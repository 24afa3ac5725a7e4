import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { maintenanceCrons } from './maintenance.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { apiDocsCss, apiDocsHtml, apiDocsJs } from './docs-page.ts'
import { openFiles } from './files.ts'
import { SignInRequired, registerHandlers, type Handler, type InstalledModule } from './handler.ts'
import { addApiRoutes } from './api-routes.ts'
import { openHttp } from './http.ts'
import { openJobs, type JobRunner } from './jobs.ts'
import { openLive, type LiveServer } from './live.ts'
import { openMetrics, type Metrics } from './metrics.ts'
import { canReadMetrics } from './metrics-access.ts'
import { buildOpenApi } from './openapi.ts'
import { openOperationLog, type OperationLog } from './operation-log.ts'
import { addWebPages, addSecurityHeaders } from './web-pages.ts'
import { addRawEndpoints } from './raw-endpoint.ts'
import { openRateLimiter, type RateLimiter } from './rate-limit.ts'
import { registerChoices, registerEntities } from './registry.ts'
import { openSessions, type LoadCaller } from './session.ts'
import { removeStaleUploads } from './upload.ts'
import type { App } from './app.ts'

export interface ServerOptions {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly installed: readonly InstalledModule[]
  readonly loadCaller: (database: Database) => LoadCaller
  readonly version: string
  /** The built web application; without it only calls are served. */
  readonly webDir?: string | undefined
  readonly logging?: Pick<FastifyServerOptions, 'logger' | 'loggerInstance'>
  readonly trustProxy?: string | undefined
  readonly clock?: () => number
  /** Connections for calls. */
  readonly pool?: number | undefined
  /** Calls under way at once; beyond them 503. */
  readonly maxConcurrent?: number
  /** Floods are not refused: for tests that send one. */
  readonly disableThrottle?: boolean
  /** Wraps the server's database: tests of its faults do. */
  readonly wrapDatabase?: (database: Database) => Database
  /** Opens `/metrics` to other machines (`Authorization: Bearer …`). */
  readonly metricsToken?: string | undefined
  /** The description of the calls is open to whoever has not signed in, too. */
  readonly publicApiDocs?: boolean | undefined
  /** Runs tasks and crons in this process too (the default). */
  readonly runsJobs?: boolean | undefined
}

export interface Server {
  readonly http: FastifyInstance
  readonly app: App
  close(): Promise<void>
}

/** Months of the log tables made ahead. */
const logTables = ['audit_log', 'operation_log']

const makeLogMonths = (database: Database): Promise<void> =>
  database.tx('*', async tx => {
    for (const table of logTables) {
      await tx.execute(sql`call make_months(${table}, current_date, 4)`)
    }
  })

/** What is to be closed at the end, the latest opened first. */
class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = []

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      await step()
    }
  }

  /** After a failed start: every step is tried, and the error that stopped the start is the one reported. */
  async runAfterFailure(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      await step().catch(() => {})
    }
  }
}

interface Services {
  readonly app: App
  readonly live: LiveServer
  readonly jobs: JobRunner
  readonly metrics: Metrics
  readonly operationLog: OperationLog
  readonly rateLimiter: RateLimiter
}

/** Opens what the handlers work with. */
async function openServices(
  options: ServerOptions,
  database: Database,
  http: FastifyInstance,
  cleanup: Cleanup,
): Promise<Services> {
  const { clock = Date.now, dataDir } = options
  const log = http.log
  await warnIfRowSecurityBypassed(database, log)
  const loadCaller = options.loadCaller(database)
  await makeLogMonths(database)
  const sessions = await openSessions(database, clock, loadCaller)
  const live = await openLive(database, sessions, log)
  const files = await openFiles(database, clock, dataDir)
  const operationLog = openOperationLog(database, clock, log)
  cleanup.add(() => operationLog.close())
  const jobs = await openJobs(database, clock, loadCaller)
  cleanup.add(() => jobs.close())
  const metrics = openMetrics(database, live)
  const rateLimiter = openRateLimiter(database, clock)
  const originUrl = (): string => http.listeningOrigin
  const app: App = { database, sessions, files, live, jobs, log, clock, dataDir, originUrl }
  return {
    app,
    live,
    jobs,
    metrics,
    operationLog,
    rateLimiter: options.disableThrottle ? { ...rateLimiter, throttle: () => {} } : rateLimiter,
  }
}

/** Addresses for the installation's own monitoring. */
function addHealthRoutes(
  http: FastifyInstance,
  database: Database,
  metrics: Metrics,
  metricsToken: string | undefined,
  isClosing: () => boolean,
): void {
  http.get('/healthz', async () => ({ ok: true }))
  http.get('/readyz', async (_, reply) => {
    if (isClosing()) return reply.code(503).send({ ok: false, why: 'closing' })
    try {
      await database.ping()
      return { ok: true }
    } catch {
      return reply.code(503).send({ ok: false, why: 'database' })
    }
  })
  http.get('/metrics', async (req, reply) =>
    canReadMetrics(req, metricsToken)
      ? reply.type(metrics.type).send(await metrics.text())
      : reply.code(404).send(''),
  )
}

/** The description of the calls and the page that shows it. */
async function addApiDocs(http: FastifyInstance, options: ServerOptions, app: App): Promise<void> {
  const description = JSON.stringify(buildOpenApi(options.installed, options.version))
  const compressed = gzipSync(description)
  const documents: readonly (readonly [path: string, type: string, content: string])[] = [
    ['/api/docs', 'text/html; charset=utf-8', apiDocsHtml],
    ['/api/docs.css', 'text/css; charset=utf-8', apiDocsCss],
    ['/api/docs.js', 'text/javascript; charset=utf-8', apiDocsJs],
  ]
  await http.register(async scope => {
    await addSecurityHeaders(scope)
    scope.get('/api/openapi.json', async (req, reply) => {
      const token = String(req.headers.token ?? '')
      if (!options.publicApiDocs && !(token && (await app.sessions.find(token, true))))
        throw new SignInRequired()
      const isCompressed = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
      if (isCompressed) {
        reply.header('content-encoding', 'gzip')
      }
      return reply
        .type('application/json; charset=utf-8')
        .headers({ 'cache-control': 'private, no-cache', vary: 'accept-encoding, token' })
        .send(isCompressed ? compressed : description)
    })
    for (const [path, type, content] of documents) {
      scope.get(path, async (_, reply) => reply.type(type).header('cache-control', 'no-cache').send(content))
    }
  })
}

/** All addresses of the server; answers how many calls are under way. */
async function addRoutes(
  http: FastifyInstance,
  options: ServerOptions,
  handlers: ReadonlyMap<string, Handler>,
  services: Services,
  isClosing: () => boolean,
): Promise<() => number> {
  const { app, live, metrics, operationLog, rateLimiter } = services
  await http.register(websocket, { options: { maxPayload: 16_384 } })
  const concurrentCalls = addApiRoutes(http, {
    handlers,
    app,
    operationLog,
    rateLimiter,
    metrics,
    maxConcurrent: options.maxConcurrent,
  })
  await http.register(async scope => {
    scope.get('/api/live', { websocket: true }, socket => live.connect(socket))
  })
  addHealthRoutes(http, app.database, metrics, options.metricsToken, isClosing)
  await addApiDocs(http, options, app)
  addRawEndpoints(
    http,
    options.installed.flatMap(m => m.server.rawEndpoints ?? []),
    app,
    ip => rateLimiter.throttle(undefined, ip),
  )
  if (options.webDir) {
    addWebPages(http, options.webDir)
  }
  return concurrentCalls
}

async function startModules(options: ServerOptions, { app, jobs }: Services): Promise<void> {
  const { installed } = options
  for (const m of installed) {
    await m.server.onStart?.(app)
  }
  await removeStaleUploads(app.dataDir)
  const definitions = installed.flatMap(m => m.server.jobs ?? [])
  const crons = [...maintenanceCrons(jobs), ...installed.flatMap(m => m.server.crons ?? [])]
  await jobs.startWorkers(app, definitions, crons, options.runsJobs ?? true)
}

/** How long calls under way may take to finish when the server closes. */
const drainMs = 15_000

/** Takes no new calls and lets those under way finish; a half-sent request is not waited for. */
async function drainHttp(http: FastifyInstance, concurrentCalls: () => number): Promise<void> {
  const closed = http.close()
  // Awaited below, once the calls are through.
  closed.catch(() => {})
  const deadline = Date.now() + drainMs
  while (concurrentCalls() > 0 && Date.now() < deadline) {
    await pause(20)
  }
  http.server.closeAllConnections()
  await closed
}

/** One server process, put together and not yet listening. Several may share a database and a data folder. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { installed } = options
  await mkdir(options.dataDir, { recursive: true })
  const ownDatabase = openDatabase(options.databaseUrl, options.pool ? { pool: options.pool } : {})
  const database = options.wrapDatabase?.(ownDatabase) ?? ownDatabase
  const cleanup = new Cleanup()
  cleanup.add(() => database.close())
  try {
    const http = openHttp({ ...options.logging, trustProxy: options.trustProxy })
    registerEntities(installed.flatMap(m => m.contract.entities))
    registerChoices(installed.flatMap(m => m.contract.choices))
    const handlers = registerHandlers(installed)
    const services = await openServices(options, database, http, cleanup)
    let closing: Promise<void> | undefined
    const isClosing = (): boolean => closing !== undefined
    const concurrentCalls = await addRoutes(http, options, handlers, services, isClosing)
    await startModules(options, services)
    await http.ready()
    const closeAll = async (): Promise<void> => {
      await services.live.close()
      await drainHttp(http, concurrentCalls)
      services.metrics.close()
      await cleanup.run()
    }
    return { http, app: services.app, close: () => (closing ??= closeAll()) }
  } catch (e) {
    await cleanup.runAfterFailure()
    throw e
  }
}

/**
 * Row-level security does not hold for superusers: the conditions of our own queries are then the only guard.
 */
async function warnIfRowSecurityBypassed(database: Database, log: App['log']): Promise<void> {
  const role = await database
    .reader('*')
    .one<{ open: boolean }>(
      sql`select rolsuper or rolbypassrls as open from pg_roles where rolname = current_user`,
    )
  if (role?.open) {
    log.warn('the database role is a superuser or bypasses row-level security; use an ordinary role')
  }
}
