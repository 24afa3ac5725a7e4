import type { FastifyInstance } from 'fastify'
import { guardPages } from './pages.ts'
import type { World } from './world.ts'

/**
 * What comes to an address that is no call: another system's message, or a page for somebody who has no
 * account. The body is its own text, as signatures need it.
 */
export interface PlainAsk {
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly ip: string
  readonly agent: string
  /** How the asker calls us. */ readonly origin: string
}

export interface PlainAnswer {
  readonly status?: number
  readonly type?: string
  readonly body?: string
  readonly location?: string
}

/**
 * An address outside the envelope: `GET /api/…` or `POST /api/…`, with `:names` in it. It says itself who may
 * ask.
 */
export interface Plain {
  readonly at: `${'GET' | 'POST'} /api/${string}`
  readonly run: (ask: PlainAsk, world: World) => Promise<PlainAnswer>
}

const most = 65_536

export function addPlain(
  app: FastifyInstance,
  all: readonly Plain[],
  world: World,
  brake: (ip: string) => void,
): void {
  void app.register(async scope => {
    await guardPages(scope)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: most }, (_, body, done) =>
      done(null, body),
    )
    for (const p of all) {
      const [method, url] = p.at.split(' ') as ['GET' | 'POST', string]
      scope.route({
        method,
        url,
        exposeHeadRoute: false,
        handler: async (req, reply) => {
          brake(req.ip)
          const said = await p.run(
            {
              path: req.params as Record<string, string>,
              query: new URL(req.url, 'http://here').searchParams,
              headers: req.headers as Record<string, string | undefined>,
              body: typeof req.body === 'string' ? req.body : '',
              ip: req.ip,
              agent: String(req.headers['user-agent'] ?? ''),
              origin: `${req.protocol}://${req.host}`,
            },
            world,
          )
          req.log.info({ plain: p.at, status: said.status ?? 200, ip: req.ip }, 'plain')
          reply.code(said.status ?? 200).header('cache-control', 'no-store')
          if (said.location) {
            reply.header('location', said.location)
          }
          return reply.type(said.type ?? 'text/html; charset=utf-8').send(said.body ?? '')
        },
      })
    }
  })
}
