import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addSecurityHeaders } from './web-pages.ts'
import type { App } from './app.ts'

/**
 * A request to an address that is no call: another system's message, or a page for somebody who has no
 * account. The body is its unparsed text; a signature may need its very bytes, where it is not UTF-8.
 */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly bytes: Buffer
  readonly ip: string
  readonly agent: string
  /** This server's address as the client knows it. */
  readonly origin: string
}

export interface RawResponse {
  readonly status?: number
  readonly type?: string
  readonly body?: string
  readonly location?: string
  /** What a client sends as `if-none-match` to learn whether it has this already. */
  readonly etag?: string
}

/**
 * An address outside the envelope: `GET /api/…` or `POST /api/…`, with `:names` in it. It authorises its
 * callers itself.
 */
export interface RawEndpoint {
  readonly route: `${'GET' | 'POST'} /api/${string}`
  /** The largest body that is read; 64 KB unless more is needed. */
  readonly maxBodyBytes?: number
  /** Devices call it every few seconds: the log keeps only what went wrong. */
  readonly isFrequent?: true
  readonly run: (request: RawRequest, app: App) => Promise<RawResponse>
}

const defaultMaxBodyBytes = 65_536

export const joinedHeaders = (headers: FastifyRequest['headers']): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

const rawRequestOf = (
  req: FastifyRequest<{ Params: Record<string, string> }>,
  bytes = bytesOf(req),
): RawRequest => ({
  params: req.params,
  query: new URL(req.url, 'http://localhost').searchParams,
  headers: joinedHeaders(req.headers),
  body: bytes.toString('utf8'),
  bytes,
  ip: req.ip,
  agent: req.headers['user-agent'] ?? '',
  origin: `${req.protocol}://${req.host}`,
})

export function addRawEndpoints(
  http: FastifyInstance,
  endpoints: readonly RawEndpoint[],
  app: App,
  throttle: (ip: string) => void,
): void {
  void http.register(async scope => {
    await addSecurityHeaders(scope)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    for (const endpoint of endpoints) {
      scope.route<{ Params: Record<string, string> }>({
        method: endpoint.route.startsWith('GET ') ? 'GET' : 'POST',
        url: endpoint.route.slice(endpoint.route.indexOf(' ') + 1),
        exposeHeadRoute: false,
        bodyLimit: endpoint.maxBodyBytes ?? defaultMaxBodyBytes,
        handler: async (req, reply) => {
          throttle(req.ip)
          const response = await endpoint.run(rawRequestOf(req), app)
          const status = response.status ?? 200
          const level = endpoint.isFrequent && status < 400 ? 'debug' : 'info'
          req.log[level]({ plain: endpoint.route, status, ip: req.ip }, 'plain')
          reply.code(status).header('cache-control', 'no-store')
          if (response.etag) {
            reply.header('etag', response.etag)
          }
          if (response.location) {
            reply.header('location', response.location)
          }
          return reply.type(response.type ?? 'text/html; charset=utf-8').send(response.body ?? '')
        },
      })
    }
  })
}
