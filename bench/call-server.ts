import { portOf } from '#kit/server/fixtures/port.ts'
// One server process for the bench of the empty call: `node call-server.ts ours|bare URL DATADIR`. Prints its
// port and a token.
import fastify, { LogController } from 'fastify'
import { openProbe } from '#kit/server/fixtures/probe.ts'

const [which = '', databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const logger = { level: 'info', file: '/dev/null' }

async function startProduct() {
  const p = await openProbe(databaseUrl, {
    dataDir,
    logging: { logger },
    disableThrottle: true,
    runsJobs: false,
  })
  return { app: p.http, token: await p.token('boss') }
}

/** The same answer and the same one line in the log, by nothing but Fastify. */
async function startBareRoute() {
  const app = fastify({ logger, logController: new LogController({ disableRequestLogging: true }) })
  app.get('/api/Probe/Idle', req => {
    req.log.info(
      { call: 'GET Probe/Idle', code: 10000, ms: 0.1, ownerId: 1, operator: 1, ip: req.ip },
      'call',
    )
    return { Code: 10000, Message: '', Data: { Name: '王五', Price: '12.50', Count: 3, Mood: 10 } }
  })
  return { app, token: '-' }
}

const { app, token } = await (which === 'ours' ? startProduct() : startBareRoute())
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${JSON.stringify({ port: portOf(app.server), token })}\n`)
process.once('SIGTERM', () => process.exit(0))
