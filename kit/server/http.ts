import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import qs from 'qs'
import type { Blob } from '#kit/contract/shape.ts'
import { code, limits, refusal, Refused, type Envelope } from '#kit/contract/wire.ts'
import { SignInFirst, answer, type Handler } from './handle.ts'
import type { Sessions } from './session.ts'
import { takeUpload, type Taken } from './upload.ts'
import type { World } from './world.ts'
import type { OperationLog } from './operation-log.ts'

type Loose = Record<string, unknown>
const parseForm = (text: string): Loose => {
  try { return qs.parse(text, { depth: limits.depth, strictDepth: true, parameterLimit: limits.members, throwOnLimitExceeded: true, arrayLimit: limits.ids, allowPrototypes: false, plainObjects: false, allowDots: false, ignoreQueryPrefix: true }) as Loose }
  catch { throw new Refused(code.input, `提交的数据嵌套过深或过多：最多 ${limits.depth} 层、${limits.members} 项`) }
}
/** PostgreSQL cannot be reached or is going down: the caller may come back soon. */
const isAway = (e: unknown): boolean => {
  const x = e as { code?: string; message?: string }
  return /^(08|57P0|53)/.test(x?.code ?? '') || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'].includes(x?.code ?? '') || /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(x?.message ?? '')
}

export interface Served { readonly handlers: ReadonlyMap<string, Handler>; readonly world: World; readonly sessions: Sessions; readonly operations: OperationLog; readonly logger?: object | boolean }

/** The one door: `/api/*`, any case, any declared name. Everything else is added to the same app by its own file. */
export function openHttp({ handlers, world, sessions, operations, logger }: Served): FastifyInstance {
  const app = fastify({
    logger: logger ?? false, bodyLimit: limits.bytes, trustProxy: true, genReqId: () => randomUUID().slice(0, 13),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300, querystringParser: parseForm as never },
    disableRequestLogging: true,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => { try { done(null, parseForm(body as string)) } catch (e) { done(e as Error) } })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => { try { done(null, body === '' ? {} : JSON.parse(body as string)) } catch { done(new Refused(code.input, '提交的内容不是正确的 JSON')) } })
  app.addContentTypeParser('multipart/form-data', (_, __, done) => done(null))

  const send = (reply: FastifyReply, e: Envelope): FastifyReply => reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store').send(JSON.stringify(e))
  const sendFile = (reply: FastifyReply, b: Blob): FastifyReply => {
    const name = encodeURIComponent(b.name)
    reply.header('content-type', b.type).header('x-suggested-filename', name).header('content-disposition', `attachment; filename*=UTF-8''${name}`).header('access-control-expose-headers', 'x-suggested-filename').header('cache-control', 'no-store')
    return reply.send(b.body instanceof Uint8Array ? Buffer.from(b.body.buffer, b.body.byteOffset, b.body.byteLength) : Readable.from(b.body))
  }

  app.setErrorHandler((e, req, reply) => {
    if (e instanceof Refused) return send(reply, refusal(e))
    if (e instanceof SignInFirst) return send(reply.code(401), { Code: 401, Message: '登录失效，请重新登录', Data: null })
    const status = (e as { statusCode?: number }).statusCode
    if (status === 413) return send(reply.code(413), { Code: code.input, Message: `提交的内容超过 ${limits.bytes / 1048576} MB`, Data: null })
    if (status === 415) return send(reply.code(415), { Code: code.input, Message: '不支持的内容类型', Data: null })
    if (status !== undefined && status >= 400 && status < 500) return send(reply, { Code: code.input, Message: '提交的内容无法读取', Data: null })
    if (isAway(e)) { world.log.warn({ reqId: req.id, err: (e as Error).message }, 'database away'); return send(reply.code(503).header('retry-after', '3'), { Code: code.defect, Message: '数据库暂时不可用，请稍后重试', Data: null }) }
    world.log.error({ reqId: req.id, err: e, url: req.url.split('?')[0] }, 'defect')
    return send(reply, { Code: code.defect, Message: `系统错误（编号 ${req.id}），请稍后重试或把编号发给客服`, Data: null })
  })

  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'], url: '/api/*',
    handler: async (req: FastifyRequest, reply: FastifyReply) => {
      const path = (req.params as { '*': string })['*'].toLowerCase().replace(/\/+$/, '')
      const h = handlers.get(`${req.method} ${path}`)
      if (!h) return send(reply.code(404), { Code: 404, Message: '没有这个接口', Data: null })
      const token = String(req.headers.token ?? ''), agent = String(req.headers['user-agent'] ?? ''), began = performance.now()
      const session = token ? await sessions.find(token, /againgettoken|gettokenexp/.test(path)) : undefined
      let taken: Taken | undefined
      const gone = new AbortController()
      reply.raw.once('close', () => { if (!reply.raw.writableFinished) gone.abort() })
      try {
        if (h.call.upload && req.isMultipart()) { if (!session) throw new SignInFirst(); taken = await takeUpload(req, h.call.upload, world.dataDir) }
        const body = taken?.fields ?? (req.body as Loose | null) ?? {}
        const raw = { ...(req.query as Loose), ...(Array.isArray(body) || typeof body !== 'object' ? { Data: body } : body) }
        const asked = { raw, caller: session?.caller, token, ip: req.ip, agent, requestId: req.id, signal: gone.signal, upload: taken?.file }
        const out = await answer(h, asked, world)
        if (session && req.headers.flag === '1') operations.note(h, asked, 'body' in out ? undefined : out, performance.now() - began)
        return 'body' in out ? sendFile(reply, out) : send(reply, out)
      } finally { await taken?.remove() }
    },
  })
  app.setNotFoundHandler((req, reply) => (req.url.startsWith('/api/') ? send(reply.code(404), { Code: 404, Message: '没有这个接口', Data: null }) : reply.code(404).send('')))
  return app
}
export const fileBody = (path: string): AsyncIterable<Uint8Array> => createReadStream(path)
