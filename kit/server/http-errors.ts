import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodeRefusal, requestLimits, resultCode } from '#kit/contract/wire.ts'
import { CompanyLocked } from './company-scope.ts'
import { errorMessage } from './database-error.ts'
import { isDatabaseUnavailable } from './db.ts'
import { FileStoreUnavailable } from './file-storage.ts'
import { SignInRequired, toRefused } from './handler.ts'
import { failureEnvelope, sendJson } from './http-response.ts'
import { TooManyRequests } from './rate-limit.ts'
import { MalformedUpload, UploadTooLarge } from './upload.ts'

/** HTTP 503: more calls are under way than this process takes. */
export class ServerBusy extends Error {}

/** HTTP 415: a body of a kind that the call does not take. */
export class UnsupportedMedia extends Error {
  readonly statusCode = 415
}

interface Failure {
  readonly status?: number
  readonly message: string
  readonly code?: number
  readonly retryAfterSeconds?: number
}

const { invalidInput } = resultCode

const failureOfStatus = (status: number): Failure | undefined => {
  if (status === 413)
    return {
      status,
      message: `提交的内容超过 ${requestLimits.bytes / 1048576} MB`,
      code: invalidInput,
    }
  if (status === 415) return { status, message: '不支持的内容类型', code: invalidInput }
  return status >= 400 && status < 500 ? { message: '提交的内容无法读取', code: invalidInput } : undefined
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined

/** The message for the sender of an error that is no defect. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof SignInRequired)
    return { status: 401, message: error.message || '登录失效，请重新登录', code: 401 }
  if (error instanceof UploadTooLarge) return { status: 413, message: error.message, code: invalidInput }
  if (error instanceof MalformedUpload) return { status: 400, message: error.message, code: invalidInput }
  if (error instanceof TooManyRequests)
    return {
      status: 429,
      message: '操作过于频繁，请稍后再试',
      code: resultCode.rateLimited,
      retryAfterSeconds: error.retryAfterSeconds,
    }
  if (error instanceof ServerBusy)
    return { status: 503, message: '系统繁忙，请稍后重试', retryAfterSeconds: 2 }
  if (error instanceof FileStoreUnavailable || error instanceof CompanyLocked)
    return { status: 503, message: error.message, retryAfterSeconds: 3 }
  const status = statusOf(error)
  const failure = status === undefined ? undefined : failureOfStatus(status)
  if (failure) return failure
  return isDatabaseUnavailable(error)
    ? { status: 503, message: '数据库暂时不可用，请稍后重试', retryAfterSeconds: 3 }
    : undefined
}

/**
 * What a failed call counts as: its code; the HTTP status where that tells more (401, 413, 415, 503); 499 for
 * a client that went away.
 */
export function failureCodeOf(error: unknown): number {
  const refused = toRefused(error)
  if (refused) return refused.code
  const failure = failureOf(error)
  if (failure)
    return failure.status === 429 ? resultCode.rateLimited : (failure.status ?? failure.code ?? 400)
  return error instanceof Error && error.name === 'AbortError' ? 499 : resultCode.internalError
}

/** Answers a request whose handling threw. */
export function handleError(
  error: unknown,
  req: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const refused = toRefused(error)
  if (refused) return sendJson(req, reply, encodeRefusal(refused))
  const failure = failureOf(error)
  if (failure) {
    if (error instanceof FileStoreUnavailable) {
      req.log.warn({ err: errorMessage(error.cause) }, 'file store away')
    } else if (isDatabaseUnavailable(error)) {
      req.log.warn({ err: error instanceof Error ? error.message : error }, 'database away')
    }
    if (failure.status !== undefined) {
      reply.code(failure.status)
    }
    if (failure.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(failure.retryAfterSeconds))
    }
    return sendJson(req, reply, failureEnvelope(failure.message, failure.code))
  }
  if (error instanceof Error && error.name === 'AbortError') return reply.code(499).send('')
  req.log.error({ err: error, url: req.url.split('?')[0] }, 'defect')
  return sendJson(req, reply, failureEnvelope(`系统错误（编号 ${req.id}），请稍后重试或把编号发给客服`))
}
