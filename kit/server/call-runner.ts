import { Readable, finished } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import type { TakeSlot } from './call-slots.ts'
import type { Call } from '#kit/contract/call.ts'
import { handleRequest, type Handler, type IncomingRequest } from './handler.ts'
import { failureCodeOf } from './http-errors.ts'
import type { Metrics } from './metrics.ts'
import { currentOperation } from './observation/operation.ts'
import type { OperationLog } from './operation-log.ts'
import type { RateLimiter } from './rate-limit.ts'

interface RunnerOptions {
  readonly app: App
  readonly operationLog: OperationLog
  readonly rateLimiter: RateLimiter
  readonly metrics: Metrics
  readonly takeSlot: TakeSlot
}

interface RunOptions {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Into the operation log: a browser of somebody who has signed in asks for it. */
  readonly isRecorded: boolean
  readonly startedAt: number
}

/** Runs one request of an identified caller, and records it. */
export type RunCall = (
  handler: Handler,
  request: IncomingRequest,
  options: RunOptions,
) => Promise<Envelope | FileResponse>

/**
 * A file is answered when it is sent: its bytes may break off. A reader who has enough of them is no failure.
 */
export function recordWhenSent(
  metrics: Pick<Metrics, 'recordAnswer'>,
  call: Call,
  body: Readable,
  { log, startedAt }: { readonly log: Pick<RunOptions['log'], 'warn'>; readonly startedAt: number },
): void {
  finished(body, { writable: false }, error => {
    const isBroken = error && errorCodeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE'
    const code = isBroken ? failureCodeOf(error) : resultCode.ok
    metrics.recordAnswer(call, code, performance.now() - startedAt)
    if (isBroken) {
      log.warn({ err: error, call: call.route, code }, 'file broken off')
    }
  })
}

const errorCodeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)

/** The answered call in the operation log, the metrics and the server's log. */
function recordAnswer(
  { operationLog, metrics }: RunnerOptions,
  handler: Handler,
  request: IncomingRequest,
  output: Envelope | FileResponse,
  { log, isRecorded, startedAt }: RunOptions,
): void {
  const { call } = handler
  const { caller } = request
  const tookMs = performance.now() - startedAt
  const envelope = 'body' in output ? undefined : output
  if (caller && (isRecorded || caller.apiKey)) {
    try {
      operationLog.record(handler, request, envelope, tookMs)
    } catch (err) {
      log.warn({ err }, 'operation not noted')
    }
  }
  const code = envelope?.Code ?? resultCode.ok
  if ('body' in output && output.body instanceof Readable) {
    recordWhenSent(metrics, call, output.body, { log, startedAt })
  } else {
    metrics.recordAnswer(call, code, tookMs)
  }
  log.info(
    {
      call: call.route,
      code,
      ms: Math.round(tookMs * 10) / 10,
      ownerId: caller?.ownerId,
      operator: caller?.operatorId,
      ip: request.ip,
      trace: currentOperation()?.parent?.traceId,
    },
    'call',
  )
}

/** A call that was not answered by its handler: counted and logged as what it was. */
export function recordFailure(
  metrics: Metrics,
  call: Call,
  error: unknown,
  { log, ip, startedAt }: Pick<RunOptions, 'log' | 'startedAt'> & { readonly ip: string },
): void {
  const code = failureCodeOf(error)
  const tookMs = performance.now() - startedAt
  metrics.recordAnswer(call, code, tookMs)
  const trace = currentOperation()?.parent?.traceId
  log.info({ call: call.route, code, ms: Math.round(tookMs * 10) / 10, ip, trace }, 'call')
}

/** Requests by HTTP and by the live connection go through the same: limits, turn, handler, records. */
export const createCallRunner =
  (options: RunnerOptions): RunCall =>
  async (handler, request, run) => {
    const { rateLimiter, metrics, app, takeSlot } = options
    const { call } = handler
    try {
      if (call.perMinute !== undefined) {
        await rateLimiter.checkCallLimit(call, request.caller, request.ip)
      }
      const releaseSlot = await takeSlot()
      const output = await handleRequest(handler, request, app).finally(releaseSlot)
      recordAnswer(options, handler, request, output, run)
      return output
    } catch (e) {
      recordFailure(metrics, call, e, { ...run, ip: request.ip })
      throw e
    }
  }
