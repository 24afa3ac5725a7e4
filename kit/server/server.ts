import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { registerProduct } from './company-data/installed.ts'
import { maintenanceCrons, makeLogMonths } from './maintenance.ts'
import { defaultPool, openDatabase, sql, type Database } from './db.ts'
import { addApiDocs } from './openapi/docs-routes.ts'
import { openFiles } from './files.ts'
import { registerHandlers, type Handler, type InstalledModule } from './handler.ts'
import { addApiRoutes } from './api-routes.ts'
import { createCallRunner } from './call-runner.ts'
import { callSlotsOf } from './call-slots.ts'
import { addHealthRoutes } from './health-routes.ts'
import { openHttp, type HttpOptions } from './http.ts'
import { openJobs, type JobRunner } from './jobs.ts'
import { startIntervals } from './intervals.ts'
import { openLive, type LiveServer } from './live.ts'
import { createLiveCalls } from './live-calls.ts'
import { openMetrics, type Metrics } from './metrics.ts'
import { openOperationLog, type OperationLog } from './operation-log.ts'
import { addWebPages, type PageFiles } from './web-pages.ts'
import { addRawEndpoints } from './raw-endpoint.ts'
import { addResumableUploads } from './resumable-upload.ts'
import { openRateLimiter, type RateLimiter } from './rate-limit.ts'
import { refusalLogOf } from './refusal-log.ts'
import { registerChoices, registerEntities } from './registry.ts'
import { openSessions, type LoadCaller } from './session.ts'
import { addSockets, chooseProtocol, maxSocketMessageBytes, type Sockets } from './sockets.ts'
import { removeStaleUploads } from './upload.ts'
import { apiKeysOf, withKeyCallers } from './api-key.ts'
import type { App } from './app.ts'

export interface ServerOptions {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly installed: readonly InstalledModule[]
  readonly loadCaller: (database: Database) => LoadCaller
  readonly version: string
  /** The built web application; without it only calls are served. */
  readonly webDir?: string | undefined
  /** Which addresses have another page than the common one. */
  readonly pageFiles?: PageFiles | undefined
  readonly logging?: Pick<FastifyServerOptions, 'logger' | 'loggerInstance'>
  readonly trustProxy?: string | undefined
  readonly clock?: () => number
  /** Connections for calls. */
  readonly pool?: number | undefined
  /** Calls under way at once, those that wait in turn included; beyond them 503. */
  readonly maxConcurrent?: number
  /** Connections that one address may hold open, and how many of them may be live ones. */
  readonly connectionsPerAddress?: number | undefined
  readonly livePerAddress?: number | undefined
  /** Milliseconds that a request's body may stand still. */
  readonly bodyStallMs?: number
  /** Floods are not refused: for tests that send one. */
  readonly disableThrottle?: boolean
  /** Wraps the server's database: tests of its faults do. */
  readonly wrapDatabase?: (database: Database) => Database
  /** Opens `/metrics` to other machines (`Authorization: Bearer …`). */
  readonly metricsToken?: string | undefined
  /** The description of the calls needs no sign-in. */
  readonly publicApiDocs?: boolean | undefined
  /** Runs tasks and crons in this process too (the default). */
  readonly runsJobs?: boolean | undefined
}

export interface Server {
  readonly http: FastifyInstance
  readonly app: App
  readonly jobs: JobRunner
  close(): Promise<void>
}

/** What must be closed at the end, the latest opened first. */
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

const monthlyTablesOf = ({ installed }: Pick<ServerOptions, 'installed'>): string[] =>
  installed.flatMap(m => m.server.monthlyTables ?? [])

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
  const loadCaller = withKeyCallers(options.loadCaller(database), database, options.installed)
  await makeLogMonths(database, monthlyTablesOf(options))
  const sessions = await openSessions(database, clock, loadCaller)
  const live = await openLive(database, sessions, log, options.livePerAddress)
  const files = await openFiles(database, clock, dataDir)
  const operationLog = openOperationLog(database, clock, log)
  cleanup.add(() => operationLog.close())
  const jobs = await openJobs(database, clock, loadCaller)
  cleanup.add(() => jobs.close())
  const metrics = openMetrics(database, live)
  const rateLimiter = openRateLimiter(database, clock)
  const originUrl = (): string => http.listeningOrigin
  const app: App = { database, sessions, files, live, jobs, log, clock, dataDir, originUrl }
  cleanup.add(() => refusalLogOf(app).close())
  cleanup.add(() => Promise.all(options.installed.map(async m => m.server.onClose?.(app))))
  return {
    app,
    live,
    jobs,
    metrics,
    operationLog,
    rateLimiter: options.disableThrottle ? { ...rateLimiter, throttle: () => {} } : rateLimiter,
  }
}

interface Routes {
  /** How many calls are under way. */
  readonly concurrentCalls: () => number
  readonly sockets: Sockets
}

/** Calls by HTTP and over the live connection: both go through the same limits and the same slots. */
function addCalls(
  http: FastifyInstance,
  options: ServerOptions,
  handlers: ReadonlyMap<string, Handler>,
  services: Services,
): () => number {
  const { app, live, metrics, rateLimiter } = services
  const takeSlot = callSlotsOf(options.pool ?? defaultPool)
  const runCall = createCallRunner({ ...services, takeSlot })
  const calls = options.installed.flatMap(m => m.server.liveCalls ?? [])
  live.install(
    app,
    createLiveCalls({ app, calls, rateLimiter, runCall }),
    options.installed.flatMap(m => m.server.liveLoaders ?? []),
  )
  const { maxConcurrent } = options
  const apiKeys = apiKeysOf(options.installed)
  return addApiRoutes(http, { handlers, app, rateLimiter, metrics, runCall, apiKeys, maxConcurrent })
}

/** All addresses of the server. */
async function addRoutes(
  http: FastifyInstance,
  options: ServerOptions,
  handlers: ReadonlyMap<string, Handler>,
  services: Services,
  isClosing: () => boolean,
): Promise<Routes> {
  const { app, live, metrics, rateLimiter } = services
  const endpoints = options.installed.flatMap(m => m.server.sockets ?? [])
  await http.register(websocket, {
    options: { maxPayload: maxSocketMessageBytes, handleProtocols: chooseProtocol(endpoints) },
    // Malformed input of a client ends its connection and is not a server error.
    errorHandler: (_, socket) => socket.terminate(),
  })
  const concurrentCalls = addCalls(http, options, handlers, services)
  await http.register(async scope => {
    scope.get('/api/live', { websocket: true }, (socket, req) => live.connect(socket, req.ip))
  })
  const sockets = addSockets(http, endpoints, app)
  addHealthRoutes(http, { app, metrics, metricsToken: options.metricsToken, isClosing })
  await addApiDocs(http, options, app.sessions)
  addRawEndpoints(
    http,
    options.installed.flatMap(m => m.server.rawEndpoints ?? []),
    app,
    ip => rateLimiter.throttle(undefined, ip),
  )
  addResumableUploads(
    http,
    app,
    options.installed.flatMap(m => m.server.uploads ?? []),
    (caller, ip) => rateLimiter.throttle(caller, ip),
  )
  if (options.webDir) {
    addWebPages(http, options.webDir, options.pageFiles)
  }
  return { concurrentCalls, sockets }
}

/** Starts the intervals of the modules. Returns a stop function. */
async function startModules(options: ServerOptions, { app, jobs }: Services): Promise<() => Promise<void>> {
  const { installed } = options
  for (const m of installed) {
    await m.server.onStart?.(app)
  }
  await removeStaleUploads(app.dataDir)
  const definitions = installed.flatMap(m => m.server.jobs ?? [])
  const crons = [
    ...maintenanceCrons(jobs, monthlyTablesOf(options)),
    ...installed.flatMap(m => m.server.crons ?? []),
  ]
  await jobs.startWorkers(app, definitions, crons, options.runsJobs ?? true)
  return startIntervals(
    app,
    installed.flatMap(m => m.server.intervals ?? []),
  )
}

/** How long calls under way may take to finish when the server closes. */
const drainMs = 15_000

/** Takes no new calls and lets those under way finish; a half-sent request is not waited for. */
async function drainHttp(http: FastifyInstance, concurrentCalls: () => number): Promise<void> {
  const closed = http.close()
  // Awaited below, once the calls are through.
  closed.catch(() => {})
  const deadline = performance.now() + drainMs
  while (concurrentCalls() > 0 && performance.now() < deadline) {
    await pause(20)
  }
  http.server.closeAllConnections()
  await closed
}

const pickHttpOptions = (options: ServerOptions): HttpOptions => {
  const { trustProxy, connectionsPerAddress, bodyStallMs } = options
  return { trustProxy, connectionsPerAddress, bodyStallMs }
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
    const http = openHttp({ ...options.logging, ...pickHttpOptions(options) })
    registerEntities(installed.flatMap(m => m.contract.entities))
    registerChoices(installed.flatMap(m => m.contract.choices))
    registerProduct(installed, options.version)
    const handlers = registerHandlers(installed)
    const services = await openServices(options, database, http, cleanup)
    let closing: Promise<void> | undefined
    const isClosing = (): boolean => closing !== undefined
    const { concurrentCalls, sockets } = await addRoutes(http, options, handlers, services, isClosing)
    const stopIntervals = await startModules(options, services)
    await http.ready()
    const closeAll = async (): Promise<void> => {
      await services.live.close()
      sockets.close()
      await drainHttp(http, concurrentCalls)
      await stopIntervals()
      services.metrics.close()
      await cleanup.run()
    }
    return { http, app: services.app, jobs: services.jobs, close: () => (closing ??= closeAll()) }
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
