import { randomBytes } from 'node:crypto'
import fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { toError } from '#kit/domain/to-error.ts'
import { Refused, requestLimits, resultCode } from '#kit/contract/wire.ts'
import { parseForm, parseQuery } from './form-encoding.ts'
import { answerClientError, limitBodyStalls, limitConnections } from './connection-limits.ts'
import { handleError } from './http-errors.ts'
import { failureEnvelope, sendJson, sendJsonUnwaited, unknownRoute } from './http-response.ts'

/** Request ids differ from those of every other process and are cheap to make. */
const processId = randomBytes(3).toString('hex')
let requestCount = 0
const nextRequestId = (): string => `${processId}-${(++requestCount).toString(36).padStart(6, '0')}`

/** Bodies of forms and JSON. An upload is left unread: the one call that takes it reads it (`upload.ts`). */
function addBodyParsers(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, parseForm(body.toString()))
    } catch (e) {
      done(toError(e))
    }
  })
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    const text = body.toString()
    try {
      done(null, text === '' ? {} : JSON.parse(text))
    } catch {
      done(new Refused(resultCode.invalidInput, '提交的内容不是正确的 JSON'))
    }
  })
  http.addContentTypeParser('multipart/form-data', (_, __, done) => done(null))
}

/**
 * Connections that one address may hold open: an office of two hundred behind one address, with six each and
 * room to spare.
 */
const defaultConnectionsPerAddress = 2000
/** How long a body may stand still. */
const defaultBodyStallMs = 30_000

export interface HttpOptions extends Pick<FastifyServerOptions, 'logger' | 'loggerInstance'> {
  readonly trustProxy?: string | undefined
  readonly connectionsPerAddress?: number | undefined
  readonly bodyStallMs?: number | undefined
}

/** The HTTP server without its routes: how requests are read and errors answered. */
export function openHttp(options: HttpOptions = {}): FastifyInstance {
  const {
    // A forwarded address is believed from a proxy on this machine only, unless others are named; anyone else
    // could pass for another.
    trustProxy = 'loopback',
    connectionsPerAddress = defaultConnectionsPerAddress,
    bodyStallMs = defaultBodyStallMs,
    ...logging
  } = options
  const http = fastify({
    ...logging,
    bodyLimit: requestLimits.bytes,
    genReqId: nextRequestId,
    // An address may hold 2,000 ids of any length (G-11); Node's own limit is 16 KB.
    http: { maxHeaderSize: 65_536 },
    trustProxy,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 300,
      querystringParser: parseQuery,
    },
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 600_000,
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
    frameworkErrors: (_, req, reply) => {
      sendJsonUnwaited(req, reply, failureEnvelope('请求的地址无法读取', resultCode.invalidInput))
    },
  })
  addBodyParsers(http)
  // What a person reads out, and what a log is searched for.
  http.addHook('onRequest', (req, reply, done) => {
    reply.header('x-request-id', req.id)
    done()
  })
  limitConnections(http, connectionsPerAddress, trustProxy)
  limitBodyStalls(http, bodyStallMs)
  http.setErrorHandler(handleError)
  http.setNotFoundHandler((req, reply) =>
    /^\/api(\/|$)/i.test(req.url) ? sendJson(req, reply.code(404), unknownRoute) : reply.code(404).send(''),
  )
  return http
}
