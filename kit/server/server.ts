import { mkdir } from 'node:fs/promises'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { maintenanceCrons } from './maintenance.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { apiDocsCss, apiDocsHtml, apiDocsJs } from './docs-page.ts'
import { openFiles } from './files.ts'
import { registerHandlers, type InstalledModule } from './handler.ts'
import { addApiRoutes, openHttp } from './http.ts'
import { openJobs } from './jobs.ts'
import { openLive } from './live.ts'
import { openMetrics } from './metrics.ts'
import { buildOpenApi } from './openapi.ts'
import { openOperationLog } from './operation-log.ts'
import { addWebPages, addSecurityHeaders } from './web-pages.ts'
import { addRawEndpoints } from './raw-endpoint.ts'
import { openRateLimiter } from './rate-limit.ts'
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
  /** Calls under way at once; past them 503. */
  readonly maxConcurrent?: number
  /** No brake on floods: for tests that are one. */
  readonly disableThrottle?: boolean
  /** Stands between the server and its database: tests of faults do. */
  readonly wrapDatabase?: (database: Database) => Database
  /** Works off tasks and crons in this process too (the default). */
  readonly runsJobs?: boolean | undefined
}

export interface Server {
  readonly http: FastifyInstance
  readonly app: App
  close(): Promise<void>
}

const isPrivateAddress = (ip: string): boolean =>
  /^(::1|::ffff:127\.|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|::ffff:(10|192\.168)\.)/i.test(ip)

/** One server process, put together and not yet listening. Several may share a database and a data folder. */
export async function openServer(w: ServerOptions): Promise<Server> {
  const { clock = Date.now, dataDir } = w
  await mkdir(dataDir, { recursive: true })
  const own = openDatabase(w.databaseUrl, w.pool ? { pool: w.pool } : {})
  const store = w.wrapDatabase?.(own) ?? own
  const undo: (() => Promise<unknown>)[] = [() => store.close()]
  try {
    const http = openHttp({ ...w.logging, trustProxy: w.trustProxy })
    const log = http.log
    await warnIfRowSecurityBypassed(store, log)
    registerEntities(w.installed.flatMap(m => m.contract.entities))
    registerChoices(w.installed.flatMap(m => m.contract.choices))
    const handlers = registerHandlers(w.installed)
    const callerOf = w.loadCaller(store)
    await store.tx('*', async tx => {
      for (const name of ['audit_log', 'operation_log']) {
        await tx.execute(sql`call make_months(${name}, current_date, 4)`)
      }
    })
    const sessions = await openSessions(store, clock, callerOf)
    const live = await openLive(store, sessions, log)
    const files = await openFiles(store, clock, dataDir)
    const operations = openOperationLog(store, clock, log)
    undo.push(() => operations.close())
    const jobs = await openJobs(store, clock, callerOf)
    undo.push(() => jobs.close())
    const metrics = openMetrics(store, live)
    const app: App = {
      database: store,
      sessions,
      files,
      live,
      jobs,
      log,
      clock,
      dataDir,
      originUrl: () => http.listeningOrigin,
    }

    let closing = false
    const rates = openRateLimiter(store, clock)
    await http.register(websocket, { options: { maxPayload: 16_384 } })
    const underWay = addApiRoutes(http, {
      handlers,
      app,
      operationLog: operations,
      rateLimiter: w.disableThrottle ? { ...rates, throttle: () => {} } : rates,
      metrics,
      maxConcurrent: w.maxConcurrent,
    })
    await http.register(async scope => {
      scope.get('/api/live', { websocket: true }, socket => live.connect(socket))
    })
    http.get('/healthz', async () => ({ ok: true }))
    http.get('/readyz', async (_, reply) => {
      if (closing) return reply.code(503).send({ ok: false, why: 'closing' })
      try {
        await store.ping()
        return { ok: true }
      } catch {
        return reply.code(503).send({ ok: false, why: 'database' })
      }
    })
    http.get('/metrics', async (req, reply) =>
      isPrivateAddress(req.ip)
        ? reply.type(metrics.type).send(await metrics.text())
        : reply.code(404).send(''),
    )
    const described = JSON.stringify(buildOpenApi(w.installed, w.version))
    await http.register(async scope => {
      await addSecurityHeaders(scope)
      scope.get('/api/openapi.json', async (_, reply) =>
        reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(described),
      )
      scope.get('/api/docs', async (_, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(apiDocsHtml),
      )
      scope.get('/api/docs.css', async (_, reply) =>
        reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(apiDocsCss),
      )
      scope.get('/api/docs.js', async (_, reply) =>
        reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(apiDocsJs),
      )
    })
    addRawEndpoints(
      http,
      w.installed.flatMap(m => m.server.rawEndpoints ?? []),
      app,
      ip => {
        if (!w.disableThrottle) {
          rates.throttle(undefined, ip)
        }
      },
    )
    if (w.webDir) {
      addWebPages(http, w.webDir)
    }

    for (const m of w.installed) {
      await m.server.onStart?.(app)
    }
    await removeStaleUploads(dataDir)
    const definitions = w.installed.flatMap(m => m.server.jobs ?? [])
    const crons = [...maintenanceCrons(jobs), ...w.installed.flatMap(m => m.server.crons ?? [])]
    await jobs.startWorkers(app, definitions, crons, w.runsJobs ?? true)
    await http.ready()

    let ending: Promise<void> | undefined
    const close = (): Promise<void> =>
      (ending ??= (async () => {
        closing = true
        await live.close()
        // Calls under way are finished, for a while; nothing new is taken. A half-sent request holds nobody
        // up.
        const closed = http.close()
        const until = Date.now() + 15_000
        while (underWay() > 0 && Date.now() < until) {
          await new Promise(done => setTimeout(done, 20))
        }
        http.server.closeAllConnections()
        await closed
        metrics.close()
        for (const end of undo.toReversed()) {
          await end()
        }
      })())
    return { http, app, close }
  } catch (e) {
    for (const end of undo.toReversed()) {
      await end().catch(() => {})
    }
    throw e
  }
}

/** Row-level security does not hold for superusers: the first wall, our own queries, then stands alone. */
async function warnIfRowSecurityBypassed(store: Database, log: App['log']): Promise<void> {
  const role = await store
    .reader('*')
    .one<{ open: boolean }>(
      sql`select rolsuper or rolbypassrls as open from pg_roles where rolname = current_user`,
    )
  if (role?.open) {
    log.warn('the database role is a superuser or bypasses row-level security; use an ordinary role')
  }
}
