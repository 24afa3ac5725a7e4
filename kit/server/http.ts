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
import type { Blob } from '#kit/contract/shape.ts'
import { Refused, code, limits, refusal, type Envelope } from '#kit/contract/wire.ts'
import { isAway } from './db.ts'
import { fault, parseForm, parseQuery } from './form.ts'
import { SignInFirst, admit, answer, refusedBy, type Asked, type Handler } from './handle.ts'
import { shownInPlace } from './magic.ts'
import type { Metrics } from './metrics.ts'
import type { OperationLog } from './operation-log.ts'
import { Flood, type Rates } from './rate.ts'
import { TooLarge, takeUpload, type Taken } from './upload.ts'
import type { World } from './world.ts'

type Loose = Record<string, unknown>

/**
 * Calls under way in this process at once; past them 503, so that a wave is turned away instead of piling up.
 */
const mostAtOnce = 400
class Busy extends Error {}

const away = (message: string, codeSaid: number = code.defect): Envelope => ({
  Code: codeSaid,
  Message: message,
  Data: null,
})

export const notACall = away('没有这个接口', 404)
const zipped = promisify(gzip)
const zipFrom = 8192

/** JSON as every answer goes out: never cached, never sniffed, zipped where it is long. */
function send(req: FastifyRequest, reply: FastifyReply, e: Envelope): FastifyReply | Promise<FastifyReply> {
  const body = JSON.stringify(e)
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
  if (body.length < zipFrom || !/\bgzip\b/.test(String(req.headers['accept-encoding'] ?? '')))
    return reply.send(body)
  return zipped(body, { level: 3 }).then(z =>
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(z),
  )
}

function sendFile(reply: FastifyReply, b: Blob): FastifyReply {
  const name = encodeURIComponent(b.name.toWellFormed())
  const inline = b.inline && shownInPlace.has(b.type)
  reply.headers({
    'content-type': b.type,
    'x-content-type-options': 'nosniff',
    'x-suggested-filename': name,
    'access-control-expose-headers': 'x-suggested-filename',
    'content-disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'cache-control': b.keepSeconds ? `private, max-age=${b.keepSeconds}, immutable` : 'no-store',
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

export const fileBody = (path: string): Readable => createReadStream(path)

/** A request's number: unlike any of another process, cheap to make. */
const processMark = randomBytes(3).toString('hex')
let requests = 0

/** The application without its calls: how requests are read and how faults are told. */
export function openApp(
  options: Pick<FastifyServerOptions, 'logger' | 'loggerInstance'> & { trustProxy?: string | undefined } = {},
): FastifyInstance {
  const { trustProxy, ...logging } = options
  const app = fastify({
    ...logging,
    bodyLimit: limits.bytes,
    genReqId: () => `${processMark}-${(++requests).toString(36).padStart(6, '0')}`,
    // 2,000 ids of any length stand in an address (G-11); Node alone takes 16 KB.
    http: { maxHeaderSize: 65_536 },
    // A forwarded address is believed from a proxy on this machine only, unless others are named; anybody
    // else could say he is another.
    trustProxy: trustProxy ?? 'loopback',
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 300,
      querystringParser: parseQuery as never,
    },
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 600_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (_, req, reply) => {
      void send(
        req as FastifyRequest,
        reply as unknown as FastifyReply,
        away('请求的地址无法读取', code.input),
      )
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
      done(new Refused(code.input, '提交的内容不是正确的 JSON'))
    }
  })
  // Read by the call that takes it, and by no other.
  app.addContentTypeParser('multipart/form-data', (_, __, done) => done(null))

  app.setErrorHandler((e, req, reply) => {
    const refused = refusedBy(e)
    if (refused) return send(req, reply, refusal(refused))
    if (e instanceof SignInFirst) return send(req, reply.code(401), away('登录失效，请重新登录', 401))
    if (e instanceof TooLarge) return send(req, reply.code(413), away(e.message, code.input))
    if (e instanceof Flood)
      return send(
        req,
        reply.code(429).header('retry-after', '5'),
        away('操作过于频繁，请稍后再试', code.often),
      )
    if (e instanceof Busy)
      return send(req, reply.code(503).header('retry-after', '2'), away('系统繁忙，请稍后重试'))
    const status = (e as { statusCode?: number }).statusCode
    if (status === 413)
      return send(req, reply.code(413), away(`提交的内容超过 ${limits.bytes / 1048576} MB`, code.input))
    if (status === 415) return send(req, reply.code(415), away('不支持的内容类型', code.input))
    if (status !== undefined && status >= 400 && status < 500)
      return send(req, reply, away('提交的内容无法读取', code.input))
    if (isAway(e)) {
      req.log.warn({ err: (e as Error).message }, 'database away')
      return send(req, reply.code(503).header('retry-after', '3'), away('数据库暂时不可用，请稍后重试'))
    }
    if ((e as Error).name === 'AbortError') return reply.code(499).send('')
    req.log.error({ err: e, url: req.url.split('?')[0] }, 'defect')
    return send(req, reply, away(`系统错误（编号 ${req.id}），请稍后重试或把编号发给客服`))
  })
  app.setNotFoundHandler((req, reply) =>
    /^\/api(\/|$)/i.test(req.url) ? send(req, reply.code(404), notACall) : reply.code(404).send(''),
  )
  return app
}

export interface Door {
  readonly handlers: ReadonlyMap<string, Handler>
  readonly world: World
  readonly operations: OperationLog
  readonly rates: Rates
  readonly metrics: Metrics
  readonly atOnce?: number | undefined
}

/** The one door: `/api/*`, any case, any declared name. Answers how many calls are under way. */
export function addDoor(
  app: FastifyInstance,
  { handlers, world, operations, rates, metrics, atOnce = mostAtOnce }: Door,
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
      ? await world.sessions.find(
          token,
          path === 'permission/againgettoken' || path === 'permission/gettokenexp',
        )
      : undefined
    const caller = session?.caller
    const ip = req.ip
    rates.brake(caller, ip)
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
    let taken: Taken | undefined
    try {
      const type = req.headers['content-type']
      if (type !== undefined && /^multipart\//i.test(type)) {
        if (!call.upload) {
          req.raw.resume()
          throw Object.assign(new Error('no upload here'), { statusCode: 415 })
        }
        try {
          admit(call, caller)
        } catch (e) {
          req.raw.resume()
          throw e
        }
        taken = await takeUpload(req.raw, call.upload, world.dataDir)
      }
      if (call.perMinute !== undefined) {
        await rates.spend(call, caller, ip)
      }
      const body = taken?.fields ?? (req.body as Loose | null | undefined) ?? {}
      const raw: Loose =
        typeof body !== 'object' || Array.isArray(body)
          ? { ...(req.query as Loose), Data: body }
          : { ...(req.query as Loose), ...body }
      const asked: Asked = {
        raw,
        caller,
        token,
        ip,
        agent: String(req.headers['user-agent'] ?? ''),
        requestId: req.id,
        signal,
        upload: taken?.file,
      }
      const out = await answer(h, asked, world)
      const said = 'body' in out ? undefined : out
      const took = performance.now() - began
      if (caller && req.headers.flag === '1') {
        try {
          operations.note(h, asked, said, took)
        } catch (err) {
          req.log.warn({ err }, 'operation not noted')
        }
      }
      metrics.answered(call, said?.Code ?? code.fine, took)
      req.log.info(
        {
          call: call.at,
          code: said?.Code ?? code.fine,
          ms: Math.round(took * 10) / 10,
          owner: caller?.ownerId,
          operator: caller?.operatorId,
          ip,
        },
        'call',
      )
      return await ('body' in out ? sendFile(reply, out) : send(req, reply, out))
    } catch (e) {
      metrics.failed(call, performance.now() - began)
      throw e
    } finally {
      if (taken) {
        await taken.remove()
      }
    }
  }
  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '/api/*',
    handler: async (req, reply) => {
      const path = (req.params as { '*': string })['*'].toLowerCase().replace(/\/+$/, '')
      const h = handlers.get(`${req.method} ${path}`)
      if (!h) return send(req, reply.code(404), notACall)
      const unread = (req.query as { [fault]?: Error })[fault]
      if (unread) throw unread
      if (underWay >= atOnce) throw new Busy()
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
