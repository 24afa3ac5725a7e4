import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { FileResponse } from '#kit/contract/shape.ts'
import { Refused, resultCode, requestLimits, encodeRefusal, type Envelope } from '#kit/contract/wire.ts'
import { isDatabaseUnavailable } from './db.ts'
import { queryError, parseForm, parseQuery } from './form-encoding.ts'
import {
  SignInRequired,
  authorize,
  handleRequest,
  toRefused,
  type IncomingRequest,
  type Handler,
} from './handler.ts'
import { inlineTypes } from './file-type.ts'
import type { Metrics } from './metrics.ts'
import type { OperationLog } from './operation-log.ts'
import { TooManyRequests, type RateLimiter } from './rate-limit.ts'
import { UploadTooLarge, receiveUpload, type ReceivedUpload } from './upload.ts'
import type { App } from './app.ts'

type RawObject = Record<string, unknown>

/**
 * Calls under way in this process at once; past them 503, so that a wave is turned away instead of piling up.
 */
const defaultMaxConcurrent = 400
class ServerBusy extends Error {}

const failureEnvelope = (message: string, codeSaid: number = resultCode.internalError): Envelope => ({
  Code: codeSaid,
  Message: message,
  Data: null,
})

export const unknownRoute = failureEnvelope('没有这个接口', 404)
const gzipAsync = promisify(gzip)
const gzipMinBytes = 8192

/** JSON as every answer goes out: never cached, never sniffed, zipped where it is long. */
function sendJson(
  req: FastifyRequest,
  reply: FastifyReply,
  e: Envelope,
): FastifyReply | Promise<FastifyReply> {
  const body = JSON.stringify(e)
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
  if (body.length < gzipMinBytes || !/\bgzip\b/.test(req.headers['accept-encoding'] ?? ''))
    return reply.send(body)
  return gzipAsync(body, { level: 3 }).then(z =>
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(z),
  )
}

function sendFile(reply: FastifyReply, b: FileResponse): FastifyReply {
  const name = encodeURIComponent(b.name.toWellFormed())
  const inline = b.inline && inlineTypes.has(b.type)
  reply.headers({
    'content-type': b.type,
    'x-content-type-options': 'nosniff',
    'x-suggested-filename': name,
    'access-control-expose-headers': 'x-suggested-filename',
    'content-disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'cache-control': b.cacheSeconds ? `private, max-age=${b.cacheSeconds}, immutable` : 'no-store',
    // Nothing that was uploaded may run here as a page of ours.
    ...(b.type === 'application/pdf'
      ? {}
      : { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }),
  })
  if (b.body instanceof Uint8Array)
    return reply.send(Buffer.from(b.body.buffer, b.body.byteOffset, b.body.byteLength))
  if (b.size !== undefined) {
    reply.header('content-length', b.size)
  }
  return reply.send(b.body instanceof Readable ? b.body : Readable.from(b.body))
}

export const openFileStream = (path: string): Readable => createReadStream(path)

/** A request's number: unlike any of another process, cheap to make. */
const processId = randomBytes(3).toString('hex')
let requestCount = 0

/** The application without its calls: how requests are read and how faults are told. */
export function openHttp(
  options: Pick<FastifyServerOptions, 'logger' | 'loggerInstance'> & { trustProxy?: string | undefined } = {},
): FastifyInstance {
  const { trustProxy, ...logging } = options
  const app = fastify({
    ...logging,
    bodyLimit: requestLimits.bytes,
    genReqId: () => `${processId}-${(++requestCount).toString(36).padStart(6, '0')}`,
    // 2,000 ids of any length stand in an address (G-11); Node alone takes 16 KB.
    http: { maxHeaderSize: 65_536 },
    // A forwarded address is believed from a proxy on this machine only, unless others are named; anybody
    // else could say he is another.
    trustProxy: trustProxy ?? 'loopback',
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 300,
      querystringParser: parseQuery,
    },
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 600_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (_, req, reply) => {
      void sendJson(req, reply, failureEnvelope('请求的地址无法读取', resultCode.invalidInput))
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, parseForm(body as string))
    } catch (e) {
      done(e as Error)
    }
  })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(body as string))
    } catch {
      done(new Refused(resultCode.invalidInput, '提交的内容不是正确的 JSON'))
    }
  })
  // Read by the call that takes it, and by no other.
  app.addContentTypeParser('multipart/form-data', (_, __, done) => done(null))

  app.setErrorHandler((e, req, reply) => {
    const refused = toRefused(e)
    if (refused) return sendJson(req, reply, encodeRefusal(refused))
    if (e instanceof SignInRequired)
      return sendJson(req, reply.code(401), failureEnvelope('登录失效，请重新登录', 401))
    if (e instanceof UploadTooLarge)
      return sendJson(req, reply.code(413), failureEnvelope(e.message, resultCode.invalidInput))
    if (e instanceof TooManyRequests)
      return sendJson(
        req,
        reply.code(429).header('retry-after', '5'),
        failureEnvelope('操作过于频繁，请稍后再试', resultCode.rateLimited),
      )
    if (e instanceof ServerBusy)
      return sendJson(
        req,
        reply.code(503).header('retry-after', '2'),
        failureEnvelope('系统繁忙，请稍后重试'),
      )
    const status = (e as { statusCode?: number }).statusCode
    if (status === 413)
      return sendJson(
        req,
        reply.code(413),
        failureEnvelope(`提交的内容超过 ${requestLimits.bytes / 1048576} MB`, resultCode.invalidInput),
      )
    if (status === 415)
      return sendJson(req, reply.code(415), failureEnvelope('不支持的内容类型', resultCode.invalidInput))
    if (status !== undefined && status >= 400 && status < 500)
      return sendJson(req, reply, failureEnvelope('提交的内容无法读取', resultCode.invalidInput))
    if (isDatabaseUnavailable(e)) {
      req.log.warn({ err: (e as Error).message }, 'database away')
      return sendJson(
        req,
        reply.code(503).header('retry-after', '3'),
        failureEnvelope('数据库暂时不可用，请稍后重试'),
      )
    }
    if ((e as Error).name === 'AbortError') return reply.code(499).send('')
    req.log.error({ err: e, url: req.url.split('?')[0] }, 'defect')
    return sendJson(req, reply, failureEnvelope(`系统错误（编号 ${req.id}），请稍后重试或把编号发给客服`))
  })
  app.setNotFoundHandler((req, reply) =>
    /^\/api(\/|$)/i.test(req.url) ? sendJson(req, reply.code(404), unknownRoute) : reply.code(404).send(''),
  )
  return app
}

export interface HttpEntry {
  readonly handlers: ReadonlyMap<string, Handler>
  readonly app: App
  readonly operationLog: OperationLog
  readonly rateLimiter: RateLimiter
  readonly metrics: Metrics
  readonly maxConcurrent?: number | undefined
}

/** The one door: `/api/*`, any case, any declared name. Answers how many calls are under way. */
export function addApiRoutes(
  http: FastifyInstance,
  { handlers, app, operationLog, rateLimiter, metrics, maxConcurrent = defaultMaxConcurrent }: HttpEntry,
): () => number {
  let underWay = 0
  const pass = async (
    req: FastifyRequest,
    reply: FastifyReply,
    h: Handler,
    path: string,
  ): Promise<FastifyReply> => {
    const { call } = h
    const began = performance.now()
    const token = String(req.headers.token ?? '')
    const session = token
      ? await app.sessions.find(
          token,
          path === 'permission/againgettoken' || path === 'permission/gettokenexp',
        )
      : undefined
    const caller = session?.caller
    const ip = req.ip
    rateLimiter.throttle(caller, ip)
    let gone: AbortController | undefined
    const signal = (): AbortSignal => {
      if (!gone) {
        const c = (gone = new AbortController())
        if (reply.raw.destroyed) {
          c.abort()
        } else {
          reply.raw.once('close', () => {
            if (!reply.raw.writableFinished) {
              c.abort()
            }
          })
        }
      }
      return gone.signal
    }
    let taken: ReceivedUpload | undefined
    try {
      const type = req.headers['content-type']
      if (type !== undefined && /^multipart\//i.test(type)) {
        if (!call.upload) {
          req.raw.resume()
          throw Object.assign(new Error('no upload here'), { statusCode: 415 })
        }
        try {
          authorize(call, caller)
        } catch (e) {
          req.raw.resume()
          throw e
        }
        taken = await receiveUpload(req.raw, call.upload, app.dataDir)
      }
      if (call.perMinute !== undefined) {
        await rateLimiter.checkCallLimit(call, caller, ip)
      }
      const body = taken?.fields ?? (req.body as RawObject | null | undefined) ?? {}
      const raw: RawObject =
        typeof body !== 'object' || Array.isArray(body)
          ? { ...(req.query as RawObject), Data: body }
          : { ...(req.query as RawObject), ...body }
      const asked: IncomingRequest = {
        raw,
        caller,
        token,
        ip,
        agent: req.headers['user-agent'] ?? '',
        requestId: req.id,
        signal,
        upload: taken?.file,
      }
      const out = await handleRequest(h, asked, app)
      const said = 'body' in out ? undefined : out
      const took = performance.now() - began
      if (caller && req.headers.flag === '1') {
        try {
          operationLog.record(h, asked, said, took)
        } catch (err) {
          req.log.warn({ err }, 'operation not noted')
        }
      }
      metrics.recordAnswer(call, said?.Code ?? resultCode.ok, took)
      req.log.info(
        {
          call: call.route,
          code: said?.Code ?? resultCode.ok,
          ms: Math.round(took * 10) / 10,
          owner: caller?.ownerId,
          operator: caller?.operatorId,
          ip,
        },
        'call',
      )
      return await ('body' in out ? sendFile(reply, out) : sendJson(req, reply, out))
    } catch (e) {
      metrics.recordFailure(call, performance.now() - began)
      throw e
    } finally {
      if (taken) {
        await taken.remove()
      }
    }
  }
  http.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '/api/*',
    handler: async (req, reply) => {
      const path = (req.params as { '*': string })['*'].toLowerCase().replace(/\/+$/, '')
      const h = handlers.get(`${req.method} ${path}`)
      if (!h) return sendJson(req, reply.code(404), unknownRoute)
      const unread = (req.query as { [queryError]?: Error })[queryError]
      if (unread) throw unread
      if (underWay >= maxConcurrent) throw new ServerBusy()
      underWay++
      try {
        return await pass(req, reply, h, path)
      } finally {
        underWay--
      }
    },
  })
  return () => underWay
}
