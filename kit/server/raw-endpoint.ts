import type { FastifyInstance } from 'fastify'
import { addSecurityHeaders } from './web-pages.ts'
import type { App } from './app.ts'

/**
 * What comes to an address that is no call: another system's message, or a page for somebody who has no
 * account. The body is its own text, as signatures need it.
 */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly ip: string
  readonly agent: string
  /** How the asker calls us. */ readonly origin: string
}

export interface RawResponse {
  readonly status?: number
  readonly type?: string
  readonly body?: string
  readonly location?: string
}

/**
 * An address outside the envelope: `GET /api/…` or `POST /api/…`, with `:names` in it. It says itself who may
 * ask.
 */
export interface RawEndpoint {
  readonly route: `${'GET' | 'POST'} /api/${string}`
  readonly run: (ask: RawRequest, app: App) => Promise<RawResponse>
}

const maxBodyBytes = 65_536

export function addRawEndpoints(
  app: FastifyInstance,
  all: readonly RawEndpoint[],
  world: App,
  brake: (ip: string) => void,
): void {
  void app.register(async scope => {
    await addSecurityHeaders(scope)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_, body, done) =>
      done(null, body),
    )
    for (const p of all) {
      const [method, url] = p.route.split(' ') as ['GET' | 'POST', string]
      scope.route({
        method,
        url,
        exposeHeadRoute: false,
        handler: async (req, reply) => {
          brake(req.ip)
          const said = await p.run(
            {
              params: req.params as Record<string, string>,
              query: new URL(req.url, 'http://here').searchParams,
              headers: req.headers as Record<string, string | undefined>,
              body: typeof req.body === 'string' ? req.body : '',
              ip: req.ip,
              agent: req.headers['user-agent'] ?? '',
              origin: `${req.protocol}://${req.host}`,
            },
            world,
          )
          req.log.info({ plain: p.route, status: said.status ?? 200, ip: req.ip }, 'plain')
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
