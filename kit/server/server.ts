import { mkdir } from 'node:fs/promises'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { careOf } from './care.ts'
import { openStore, sql, type Store } from './db.ts'
import { docsCss, docsHtml, docsJs } from './docs-page.ts'
import { openFiles } from './files.ts'
import { bind, type Installed } from './handle.ts'
import { addDoor, openApp } from './http.ts'
import { openJobs } from './jobs.ts'
import { openLive } from './live.ts'
import { openMetrics } from './metrics.ts'
import { openApi } from './openapi.ts'
import { openOperationLog } from './operation-log.ts'
import { addPages, guardPages } from './pages.ts'
import { addPlain } from './plain.ts'
import { openRates } from './rate.ts'
import { knowChoices, knowEntities } from './registry.ts'
import { openSessions, type CallerOf } from './session.ts'
import { clearUploads } from './upload.ts'
import type { World } from './world.ts'

export interface Wish {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly installed: readonly Installed[]
  readonly callerOf: (store: Store) => CallerOf
  readonly version: string
  /** The built web application; without it only calls are served. */
  readonly webDir?: string | undefined
  readonly logging?: Pick<FastifyServerOptions, 'logger' | 'loggerInstance'>
  readonly trustProxy?: string | undefined
  readonly clock?: () => number
  /** Connections for calls. */
  readonly pool?: number | undefined
  /** Calls under way at once; past them 503. */
  readonly atOnce?: number
  /** No brake on floods: for tests that are one. */
  readonly unbraked?: boolean
  /** Stands between the server and its database: tests of faults do. */
  readonly between?: (store: Store) => Store
  /** Works off tasks and crons in this process too (the default). */
  readonly works?: boolean | undefined
}

export interface Server {
  readonly app: FastifyInstance
  readonly world: World
  close(): Promise<void>
}

const isNear = (ip: string): boolean =>
  /^(::1|::ffff:127\.|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|::ffff:(10|192\.168)\.)/i.test(ip)

/** One server process, put together and not yet listening. Several may share a database and a data folder. */
export async function openServer(w: Wish): Promise<Server> {
  const { clock = Date.now, dataDir } = w
  await mkdir(dataDir, { recursive: true })
  const own = openStore(w.databaseUrl, w.pool ? { pool: w.pool } : {})
  const store = w.between?.(own) ?? own
  const undo: (() => Promise<unknown>)[] = [() => store.close()]
  try {
    const app = openApp({ ...w.logging, trustProxy: w.trustProxy })
    const log = app.log
    await warnOfOpenWalls(store, log)
    knowEntities(w.installed.flatMap(m => m.contract.entities))
    knowChoices(w.installed.flatMap(m => m.contract.choices))
    const handlers = bind(w.installed)
    const callerOf = w.callerOf(store)
    await store.tx('*', async tx => {
      for (const name of ['audit_log', 'operation_log']) {
        await tx.run(sql`call make_months(${name}, current_date, 4)`)
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
    const world: World = {
      store,
      sessions,
      files,
      live,
      jobs,
      log,
      clock,
      dataDir,
      origin: () => app.listeningOrigin,
    }

    let closing = false
    const rates = openRates(store, clock)
    await app.register(websocket, { options: { maxPayload: 16_384 } })
    const underWay = addDoor(app, {
      handlers,
      world,
      operations,
      rates: w.unbraked ? { ...rates, brake: () => {} } : rates,
      metrics,
      atOnce: w.atOnce,
    })
    await app.register(async scope => {
      scope.get('/api/live', { websocket: true }, socket => live.connect(socket))
    })
    app.get('/healthz', async () => ({ ok: true }))
    app.get('/readyz', async (_, reply) => {
      if (closing) return reply.code(503).send({ ok: false, why: 'closing' })
      try {
        await store.ping()
        return { ok: true }
      } catch {
        return reply.code(503).send({ ok: false, why: 'database' })
      }
    })
    app.get('/metrics', async (req, reply) =>
      isNear(req.ip) ? reply.type(metrics.type).send(await metrics.text()) : reply.code(404).send(''),
    )
    const described = JSON.stringify(openApi(w.installed, w.version))
    await app.register(async scope => {
      await guardPages(scope)
      scope.get('/api/openapi.json', async (_, reply) =>
        reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(described),
      )
      scope.get('/api/docs', async (_, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(docsHtml),
      )
      scope.get('/api/docs.css', async (_, reply) =>
        reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(docsCss),
      )
      scope.get('/api/docs.js', async (_, reply) =>
        reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(docsJs),
      )
    })
    addPlain(
      app,
      w.installed.flatMap(m => m.server.plain ?? []),
      world,
      ip => {
        if (!w.unbraked) {
          rates.brake(undefined, ip)
        }
      },
    )
    if (w.webDir) {
      addPages(app, w.webDir)
    }

    for (const m of w.installed) {
      await m.server.start?.(world)
    }
    await clearUploads(dataDir)
    const definitions = w.installed.flatMap(m => m.server.jobs ?? [])
    const crons = [...careOf(jobs), ...w.installed.flatMap(m => m.server.crons ?? [])]
    await jobs.begin(world, definitions, crons, w.works ?? true)
    await app.ready()

    let ending: Promise<void> | undefined
    const close = (): Promise<void> =>
      (ending ??= (async () => {
        closing = true
        await live.close()
        // Calls under way are finished, for a while; nothing new is taken. A half-sent request holds nobody
        // up.
        const closed = app.close()
        const until = Date.now() + 15_000
        while (underWay() > 0 && Date.now() < until) {
          await new Promise(done => setTimeout(done, 20))
        }
        app.server.closeAllConnections()
        await closed
        metrics.close()
        for (const end of undo.reverse()) {
          await end()
        }
      })())
    return { app, world, close }
  } catch (e) {
    for (const end of undo.reverse()) {
      await end().catch(() => {})
    }
    throw e
  }
}

/** Row-level security does not hold for superusers: the first wall, our own queries, then stands alone. */
async function warnOfOpenWalls(store: Store, log: World['log']): Promise<void> {
  const role = await store
    .reader('*')
    .one<{ open: boolean }>(
      sql`select rolsuper or rolbypassrls as open from pg_roles where rolname = current_user`,
    )
  if (role?.open) {
    log.warn('the database role is a superuser or bypasses row-level security; use an ordinary role')
  }
}
