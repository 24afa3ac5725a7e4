import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import { isDiskFullNow } from './disk-space.ts'
import type { Metrics } from './metrics.ts'
import { canReadMetrics } from './metrics-access.ts'

interface HealthOptions {
  readonly app: Pick<App, 'database' | 'dataDir'>
  readonly metrics: Metrics
  readonly metricsToken: string | undefined
  readonly isClosing: () => boolean
}

/** Why this process should get no requests now; nothing where it should. */
async function findUnreadiness({ app, isClosing }: HealthOptions): Promise<string | undefined> {
  if (isClosing()) return 'closing'
  try {
    await app.database.ping()
  } catch {
    return 'database'
  }
  return (await isDiskFullNow(app.dataDir)) ? 'disk' : undefined
}

/** Addresses for the installation's own monitoring. */
export function addHealthRoutes(http: FastifyInstance, options: HealthOptions): void {
  const { metrics, metricsToken } = options
  http.get('/healthz', async () => ({ ok: true }))
  http.get('/readyz', async (_, reply) => {
    const why = await findUnreadiness(options)
    return why === undefined ? { ok: true } : reply.code(503).send({ ok: false, why })
  })
  http.get('/metrics', async (req, reply) =>
    canReadMetrics(req, metricsToken)
      ? reply.type(metrics.type).send(await metrics.text())
      : reply.code(404).send(''),
  )
}
