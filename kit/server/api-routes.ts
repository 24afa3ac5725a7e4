import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methods, type Method } from '#kit/contract/call.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { bearerOf, requireKeyCaller, type ApiKeyAccess } from './api-key.ts'
import type { App } from './app.ts'
import { recordFailure, type RunCall } from './call-runner.ts'
import { queryError } from './form-encoding.ts'
import { authorize, type Handler, type IncomingRequest } from './handler.ts'
import { ServerBusy, UnsupportedMedia, failureCodeOf } from './http-errors.ts'
import { sendFile, sendJson, unknownRoute } from './http-response.ts'
import type { Metrics } from './metrics.ts'
import { runOperation } from './observation/operation.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Caller } from './scope.ts'
import { receiveUpload, type ReceivedUpload } from './upload.ts'

/**
 * Calls under way in this process at once, waiting or running; beyond them 503, so that a wave is turned away
 * instead of piling up.
 */
const defaultMaxConcurrent = 400
export interface ApiOptions {
  readonly handlers: ReadonlyMap<string, Handler>
  readonly app: App
  readonly rateLimiter: RateLimiter
  readonly metrics: Metrics
  readonly runCall: RunCall
  readonly apiKeys?: ApiKeyAccess | undefined
  readonly maxConcurrent?: number | undefined
}

/** Calls that ask about a token without using it: they do not prolong its session. */
const tokenInquiryPaths = new Set(['permission/againgettoken', 'permission/gettokenexp'])

const textHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

/** `?strict=1`, or the header `x-strict: 1`. */
const isStrict = (req: FastifyRequest): boolean =>
  textHeader(req.headers['x-strict']) === '1' || recordOrEmpty(req.query).strict === '1'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const recordOrEmpty = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** A signal that aborts when the client goes away before its answer; made on first need. */
function disconnectSignal(reply: FastifyReply): () => AbortSignal {
  let controller: AbortController | undefined
  return () => {
    if (controller) return controller.signal
    const created = new AbortController()
    controller = created
    if (reply.raw.destroyed) {
      created.abort()
    } else {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) {
          created.abort()
        }
      })
    }
    return created.signal
  }
}

/** The upload of a multipart request; refused before any of it is stored. */
async function receiveAllowedUpload(
  req: FastifyRequest,
  { call }: Handler,
  caller: Caller | undefined,
  dataDir: string,
): Promise<ReceivedUpload | undefined> {
  const type = req.headers['content-type']
  if (type === undefined || !/^multipart\//i.test(type)) return undefined
  if (!call.upload) {
    req.raw.resume()
    throw new UnsupportedMedia('no upload here')
  }
  try {
    authorize(call, caller)
  } catch (e) {
    req.raw.resume()
    throw e
  }
  return receiveUpload(req.raw, { bytes: call.upload, takesResumed: call.takesResumed }, dataDir)
}

/** Query and body together; a body that is no object is the call's `Data`. */
function rawInputOf(req: FastifyRequest, upload: ReceivedUpload | undefined): Record<string, unknown> {
  const query = recordOrEmpty(req.query)
  const body: unknown = upload?.fields ?? req.body ?? {}
  return isRecord(body) ? { ...query, ...body } : { ...query, Data: body }
}

/** Who sends a token or, in its place, a key. */
async function callerOf(
  { app, rateLimiter, apiKeys }: ApiOptions,
  req: FastifyRequest,
  token: string,
  path: string,
): Promise<Caller | undefined> {
  const secret = token ? undefined : bearerOf(req.headers.authorization)
  if (secret !== undefined && apiKeys) {
    const caller = await requireKeyCaller(app, rateLimiter, secret, req.ip)
    apiKeys.admit(app, caller, { ip: req.ip, requestId: req.id })
    return caller
  }
  const session = token ? await app.sessions.find(token, tokenInquiryPaths.has(path)) : undefined
  rateLimiter.throttle(session?.caller, req.ip)
  return session?.caller
}

/** The caller, the upload and the input, read before the call gets a slot: the sender may be slow. */
async function receiveRequest(
  options: ApiOptions,
  req: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
  method: Method,
  path: string,
): Promise<{ readonly request: IncomingRequest; readonly upload: ReceivedUpload | undefined }> {
  const { ip } = req
  const token = String(req.headers.token ?? '')
  const caller = await callerOf(options, req, token, path)
  const upload = await receiveAllowedUpload(req, handler, caller, options.app.dataDir)
  const request: IncomingRequest = {
    raw: rawInputOf(req, upload),
    caller,
    token,
    ip,
    agent: req.headers['user-agent'] ?? '',
    origin: `${req.protocol}://${req.host}`,
    requestId: req.id,
    method,
    isStrict: isStrict(req),
    signal: disconnectSignal(reply),
    upload: upload?.file,
  }
  return { request, upload }
}

/** What a call by key came to, in the log of the key. */
function recordKeyedCall(
  { app, apiKeys }: ApiOptions,
  { call }: Handler,
  { caller, ip, requestId }: IncomingRequest,
  code: number,
  startedAt: number,
): void {
  if (caller?.apiKey) {
    apiKeys?.record(app, caller, { call, code, tookMs: performance.now() - startedAt, ip, requestId })
  }
}

async function runHttpCall(
  options: ApiOptions,
  req: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
  method: Method,
  path: string,
): Promise<FastifyReply> {
  const { metrics, runCall } = options
  const run = { log: req.log, isRecorded: req.headers.flag === '1', startedAt: performance.now() }
  const { request, upload } = await receiveRequest(options, req, reply, handler, method, path).catch(
    (e: unknown) => {
      recordFailure(metrics, handler.call, e, { ...run, ip: req.ip })
      throw e
    },
  )
  try {
    const output = await runCall(handler, request, run).catch((e: unknown) => {
      recordKeyedCall(options, handler, request, failureCodeOf(e), run.startedAt)
      throw e
    })
    const code = 'body' in output ? resultCode.ok : output.Code
    recordKeyedCall(options, handler, request, code, run.startedAt)
    return await ('body' in output ? sendFile(req, reply, output) : sendJson(req, reply, output))
  } finally {
    await upload?.remove()
  }
}

const answerCall = (
  options: ApiOptions,
  req: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
  method: Method,
  path: string,
): Promise<FastifyReply> =>
  runOperation(
    {
      name: handler.call.route,
      kind: 'request',
      log: req.log,
      traceparent: textHeader(req.headers.traceparent),
      attributes: { 'http.request.method': method, 'url.path': `/api/${path}`, 'anju.request_id': req.id },
    },
    () => runHttpCall(options, req, reply, handler, method, path),
  )

/**
 * The only entry of calls: `/api/*`, any case, any declared name. Returns how many calls are under way.
 */
export function addApiRoutes(http: FastifyInstance, options: ApiOptions): () => number {
  const { handlers, maxConcurrent = defaultMaxConcurrent } = options
  let concurrent = 0
  http.route<{ Params: { '*': string }; Querystring: { [queryError]?: Error } }>({
    method: [...methods, 'HEAD'],
    exposeHeadRoute: false,
    url: '/api/*',
    handler: async (req, reply) => {
      const path = req.params['*'].toLowerCase().replace(/\/+$/, '')
      const method = req.method === 'HEAD' ? 'GET' : methods.find(name => name === req.method)
      const handler = method && handlers.get(`${method} ${path}`)
      // HEAD asks how long a file is, and whether it is there.
      const isOffered = req.method !== 'HEAD' || handler?.call.output.form === 'blob'
      if (!handler || !isOffered) return sendJson(req, reply.code(404), unknownRoute)
      const unreadableQuery = req.query[queryError]
      if (unreadableQuery) throw unreadableQuery
      if (concurrent >= maxConcurrent) throw new ServerBusy()
      concurrent++
      try {
        return await answerCall(options, req, reply, handler, method, path)
      } finally {
        concurrent--
      }
    },
  })
  return () => concurrent
}
