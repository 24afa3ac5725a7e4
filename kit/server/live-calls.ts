import { createHash, randomUUID } from 'node:crypto'
import { methodOf, type Call } from '#kit/contract/call.ts'
import { Refused, resultCode, type Envelope } from '#kit/contract/wire.ts'
import type { RawObject } from '#kit/contract/wire/members.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from './app.ts'
import type { RunCall } from './call-runner.ts'
import { SignInRequired } from './handler.ts'
import { CompanyLocked } from './company-scope.ts'
import { ServerBusy } from './http-errors.ts'
import { handlerOfCall } from './handler/registration.ts'
import { failureEnvelope } from './http-response.ts'
import { endConnection, sendMessage, type LiveConnection } from './live-connection.ts'
import { TooManyRequests, type RateLimiter } from './rate-limit.ts'

/**
 * A message of a browser's live connection that makes a call, with the rights, limits and records of one by
 * HTTP. The answer comes on the same connection.
 */
export interface LiveCall {
  readonly call: Call
  readonly matches: (message: RawObject) => boolean
  /** The request, as it would come by HTTP; `session` tells sessions apart and is no secret. */
  readonly toRequest: (message: RawObject, session: string) => RawObject
  /** The kind of the answer, and what of the message comes back with it. */
  readonly answerKind: string
  readonly echo: readonly string[]
  /** Messages after the answer: of what had ended before (`since`), or ended with it. */
  readonly followUps?: (
    app: App,
    ownerId: Id,
    answer: Envelope,
    since: number,
  ) => Promise<readonly FollowUp[]>
}

interface FollowUp {
  readonly kind: string
  readonly data: object
}

/**
 * Data that is read by the process which holds the browser: a notification carries 7,900 bytes at most.
 * Undefined: nobody is notified.
 */
export interface LiveLoader {
  readonly kind: string
  readonly load: (app: App, ownerId: Id, data: object) => Promise<object | undefined>
}

export interface LiveCallOptions {
  readonly app: App
  readonly calls: readonly LiveCall[]
  readonly rateLimiter: RateLimiter
  readonly runCall: RunCall
}

const sessionMark = (token: string): string =>
  createHash('sha256').update(`live ${token}`).digest('base64url').slice(0, 12)

interface LiveRequest {
  readonly connection: LiveConnection
  readonly live: LiveCall
  readonly message: RawObject
  readonly requestId: string
}

/** The message of an error for the caller; of a defect with its number in the log. */
function envelopeOfError(app: App, { live, requestId }: LiveRequest, err: unknown): Envelope {
  if (err instanceof Refused) return failureEnvelope(err.message, err.code)
  if (err instanceof TooManyRequests)
    return failureEnvelope('操作过于频繁，请稍后再试', resultCode.rateLimited)
  if (err instanceof CompanyLocked) return failureEnvelope(err.message, resultCode.rateLimited)
  if (err instanceof ServerBusy) return failureEnvelope('系统繁忙，请稍后重试', resultCode.rateLimited)
  app.log.error({ err, call: live.call.route, reqId: requestId }, 'live call failed')
  return failureEnvelope(`系统错误（编号 ${requestId}），请稍后重试或把编号发给客服`)
}

async function runLiveCall(
  { app, rateLimiter, runCall }: LiveCallOptions,
  { connection, live, message, requestId }: LiveRequest,
): Promise<Envelope> {
  const startedAt = performance.now()
  const { call, toRequest } = live
  const { token, address } = connection
  const handler = handlerOfCall(call)
  if (!handler) throw new Error(`${call.route}: no handler`)
  const session = await app.sessions.find(token)
  if (!session) throw new SignInRequired()
  rateLimiter.throttle(session.caller, address)
  const output = await runCall(
    handler,
    {
      raw: toRequest(message, sessionMark(token)),
      caller: session.caller,
      token,
      ip: address,
      agent: 'live',
      origin: undefined,
      requestId,
      method: methodOf(call),
      isStrict: false,
      signal: () => new AbortController().signal,
    },
    { log: app.log, isRecorded: true, startedAt },
  )
  if ('body' in output) throw new Error(`${call.route} answers a file: it is no call for the live connection`)
  return output
}

/** Handles one message of a browser that has signed in; undefined where it is no call. */
export type HandleLiveCall = (connection: LiveConnection, message: RawObject) => Promise<void> | undefined

export function createLiveCalls(options: LiveCallOptions): HandleLiveCall {
  const answer = async (request: LiveRequest): Promise<void> => {
    const { connection, live, message } = request
    const { app } = options
    const { ownerId } = connection
    const since = app.clock()
    try {
      const envelope = await runLiveCall(options, request).catch((err: unknown) => {
        if (err instanceof SignInRequired) throw err
        return envelopeOfError(app, request, err)
      })
      const echoed = Object.fromEntries(live.echo.map(key => [key, message[key]]))
      sendMessage(connection, live.answerKind, { ...echoed, ...envelope })
      for (const { kind, data } of (await live.followUps?.(app, ownerId, envelope, since)) ?? []) {
        sendMessage(connection, kind, data)
      }
    } catch {
      endConnection(connection)
    }
  }
  return (connection, message) => {
    const live = options.calls.find(({ matches }) => matches(message))
    const requestId = `live-${randomUUID().slice(0, 8)}`
    return live && answer({ connection, live, message, requestId })
  }
}
