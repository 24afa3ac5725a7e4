import { joinedHeaders } from '#kit/server/raw-endpoint.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { defined } from '#kit/domain/defined.ts'
// The product's own server on a socket, for tests that kill it:
// `fork(killable-server-process.ts, [databaseUrl, dataDir, startsAt])`. A request says in `x-fault` where it
// breaks: `hold NAME N` stops for ever at its N-th moment and tells so (who started it then kills it),
// `cut NAME N` loses its database connection there, `count NAME 0` only tells how many moments there were.
// Over the channel of the fork it does the night's deduction of a project the same way.
import type { Id } from '#kit/domain/id.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import pg from 'pg'
import { fromInstant } from '#kit/domain/moment.ts'
import { isDatabaseUnavailable, sql } from '#kit/server/db.ts'
import { isReadNext, withFaultHook, type FaultHook } from '#kit/server/fixtures/fault-injection.ts'
import { openServer } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { deductProject } from '#modules/prestore/server/deduction.ts'

interface FaultPlan {
  readonly how: string
  readonly name: string
  readonly at: number
  momentCount: number
}

export type ServerMessage =
  | { readonly listens: string }
  | { readonly pausedAction: string }
  | { readonly counted: string; readonly moments: number }
  | { readonly done: string; readonly rooms: number; readonly fault?: string }

export interface DeductionRequest {
  readonly fault: string
  readonly ownerId: Id
  readonly project: string
}

const [databaseUrl = '', dataDir = '', startsAt = ''] = process.argv.slice(2)
const faultPlans = new AsyncLocalStorage<FaultPlan | undefined>()

/** Of the first server here: after a kill the clock goes on, as it does in operation. */
function readFirstStart(): number {
  const file = join(dataDir, 'first-start')
  if (!existsSync(file)) {
    writeFileSync(file, String(Date.now()))
  }
  return Number(readFileSync(file, 'utf8'))
}

const firstStart = readFirstStart()
const clock = (): number => Date.parse(startsAt) + Date.now() - firstStart

const sendMessage = (message: ServerMessage): void => {
  process.send?.(message)
}

const parseFaultPlan = (text: string | undefined): FaultPlan | undefined => {
  const [how, name, at] = text?.split(' ') ?? []
  return how && name ? { how, name, at: Number(at), momentCount: 0 } : undefined
}

const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })

const applyFault: FaultHook = async (tx, statements) => {
  const d = faultPlans.getStore()
  if (!d || isReadNext(statements) || ++d.momentCount !== d.at) return
  if (d.how === 'hold') {
    sendMessage({ pausedAction: d.name })
    await new Promise(() => {})
  }
  if (d.how === 'cut' && tx) {
    await pool.query('select pg_terminate_backend($1)', [
      defined(await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid,
    ])
  }
  if (d.how === 'cut' && !tx) throw new Error('Connection terminated unexpectedly')
}

const server = await openServer({
  databaseUrl,
  dataDir,
  installed: await loadInstalledModules(),
  loadCaller: createCallerLoader,
  version: 'test',
  clock,
  pool: 96,
  maxConcurrent: 500,
  disableThrottle: true,
  runsJobs: false,
  logging: { logger: false },
  wrapDatabase: database => withFaultHook(database, applyFault),
})

server.http.server.prependListener('request', (req: IncomingMessage, res: NodeJS.EventEmitter) => {
  const d = parseFaultPlan(joinedHeaders(req.headers)['x-fault'])
  faultPlans.enterWith(d)
  if (d?.how === 'count') {
    res.once('finish', () => {
      sendMessage({ counted: d.name, moments: d.momentCount })
    })
  }
})

process.on('message', ({ fault, ownerId, project }: DeductionRequest) => {
  const d = defined(parseFaultPlan(fault))
  void faultPlans
    .run(d, () => deductProject(server.app.database, ownerId, project, fromInstant(clock())))
    .then(
      rooms => {
        sendMessage({ done: d.name, rooms })
        if (d.how === 'count') {
          sendMessage({ counted: d.name, moments: d.momentCount })
        }
      },
      e => {
        sendMessage({
          done: d.name,
          rooms: 0,
          fault: isDatabaseUnavailable(e) ? '数据库暂时不可用，请稍后重试' : errorMessage(e),
        })
      },
    )
})

await server.http.listen({ port: 0, host: '127.0.0.1' })
sendMessage({ listens: server.http.listeningOrigin })
// A killed process writes nothing when it exits.
flushCompileCache()
process.once('disconnect', () => process.exit(0))
