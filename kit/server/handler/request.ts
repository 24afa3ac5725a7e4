import { Readable } from 'node:stream'
import type { Call, Method } from '#kit/contract/call.ts'
import type { Day, Moment } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import {
  Refused,
  UnknownSecret,
  assertKnownMembers,
  assertWithinLimits,
  decodeRequest,
  encodeRefusal,
  encodeResponse,
  resultCode,
  type DecodedRequest,
  type Envelope,
} from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { App, Upload } from '../app.ts'
import type { Db, Tx } from '../db.ts'
import { assertFilesOpen } from '../file-access.ts'
import { withIdempotency } from '../idempotency.ts'
import { maskAnswer } from '../privacy.ts'
import { missOf } from '../rate-limit.ts'
import { refusalLogOf } from '../refusal-log.ts'
import { hasProject, type Caller, type Scope } from '../scope.ts'
import { SignInRequired, authorize, callerFor, checkDataDomain, projectRefusal } from './authorize.ts'
import type { Handler, ReadContext, WriteContext } from './definition.ts'
import { assertProjectsExist } from './named-projects.ts'
import { completeFromStored } from './partial-edit.ts'
import { toRefused } from './refusal.ts'

export interface IncomingRequest {
  readonly raw: Readonly<Record<string, unknown>>
  readonly caller: Caller | undefined
  readonly token: string
  readonly ip: string
  readonly agent: string
  /** The address that the caller reached the product by; none over the live connection. */
  readonly origin: string | undefined
  readonly requestId: string
  readonly method: Method
  /** Members that the call does not know are refused, and not ignored as the old wire has it. */
  readonly isStrict: boolean
  /** Aborts when the caller has gone; made on first need. */
  readonly signal: () => AbortSignal
  readonly upload?: Upload | undefined
}

/** What a handler is given. The signal is made only where one is looked at. */
class RequestContext implements ReadContext, WriteContext {
  readonly scope: Scope
  readonly now: Moment
  readonly today: Day
  readonly app: App
  readonly db: Db
  readonly tx: Tx
  readonly upload: Upload | undefined
  readonly #request: IncomingRequest
  constructor(scope: Scope, now: Moment, app: App, request: IncomingRequest, db: Db) {
    this.scope = scope
    this.now = now
    this.today = dayOfMoment(now)
    this.app = app
    this.db = db
    this.tx = db as Tx
    this.upload = request.upload
    this.#request = request
  }
  get signal(): AbortSignal {
    return this.#request.signal()
  }
  get origin(): string | undefined {
    return this.#request.origin
  }
}

/** The caller's scope for this request; the sender must be the signed-in operator, in a visible project. */
function scopeOf(
  caller: Caller,
  sender: DecodedRequest<unknown>['sender'],
  request: IncomingRequest,
  app: App,
): Scope {
  return {
    ...caller,
    projectCode: sender.projectCode,
    ip: request.ip,
    requestId: request.requestId,
    time: new Date(app.clock()).toISOString(),
  }
}

/** Until the request is decoded. */
const unknownSender: DecodedRequest<unknown>['sender'] = {
  projectCode: '',
  uuid: '',
  ownerId: undefined,
  operatorId: undefined,
}

function completeEdit(
  call: Call,
  request: IncomingRequest,
  scope: Scope,
  app: App,
): Promise<IncomingRequest['raw']> {
  const db = app.database.reader(scope.ownerId)
  const context = new RequestContext(scope, fromInstant(app.clock()), app, request, db)
  return completeFromStored(call, request.raw, context)
}

const contradicts = (claimed: number | undefined, actual: number): boolean =>
  claimed !== undefined && claimed !== 0 && claimed !== actual

function assertSender(call: Call, scope: Scope, sender: DecodedRequest<unknown>['sender']): void {
  if (contradicts(sender.ownerId, scope.ownerId) || contradicts(sender.operatorId, scope.operatorId))
    throw new Refused(resultCode.forbidden, '无权执行此操作')
  if (sender.projectCode && !hasProject(scope.domain, sender.projectCode))
    throw projectRefusal(call, scope, sender.projectCode)
}

/** A stream may break before it is sent, or never be sent: its error must not end the process then. */
function ownStream(file: FileResponse): FileResponse {
  if (file.body instanceof Readable) {
    file.body.on('error', () => {})
  }
  return file
}

const encodeAnswer = (call: Call, output: unknown): Envelope =>
  encodeResponse(call, maskAnswer(call.output, output))

const encodeOutput = ({ call }: Handler, output: unknown): Envelope | FileResponse =>
  call.output.form === 'blob' ? ownStream(output as FileResponse) : encodeAnswer(call, output)

/** Runs the handler in its mode; a write in one transaction, once for one `uuid` (G-6). */
async function runHandler(
  handler: Exclude<Handler, { mode: 'anonymous' }>,
  { input, sender }: DecodedRequest<unknown>,
  request: IncomingRequest,
  scope: Scope,
  app: App,
): Promise<Envelope | FileResponse> {
  const now = fromInstant(app.clock())
  if (handler.mode === 'reads') {
    const db = app.database.reader(scope.ownerId, request.signal)
    return encodeOutput(handler, await handler.run(input, new RequestContext(scope, now, app, request, db)))
  }
  // A write goes on when its client has gone: it may have been meant, and its `uuid` tells the outcome.
  const { upload, raw } = request
  const body = upload ? { ...raw, upload: [upload.name, upload.size] } : raw
  return app.database.tx(scope.ownerId, tx => {
    // Sent in one message with the key of the request, and looked at once that is there.
    const projectCheck = assertProjectsExist(tx, scope.ownerId, handler.call.input, input, sender.projectCode)
    projectCheck.catch(() => {})
    return withIdempotency(tx, scope, handler.call, sender.uuid, body, async () => {
      await projectCheck
      return encodeAnswer(
        handler.call,
        await handler.run(input, new RequestContext(scope, now, app, request, tx)),
      )
    })
  })
}

/**
 * The order matters: caller, permission, input, project, then the handler. Returns the envelope, or the file
 * of a download.
 */
export async function handleRequest(
  handler: Handler,
  request: IncomingRequest,
  app: App,
): Promise<Envelope | FileResponse> {
  const { call } = handler
  const caller = callerFor(call, request.caller)
  let scope: Scope | undefined
  try {
    authorize(call, caller)
    assertWithinLimits(request.raw)
    if (request.isStrict) {
      assertKnownMembers(call, request.raw)
    }
    scope = caller && scopeOf(caller, unknownSender, request, app)
    const raw = scope ? await completeEdit(call, request, scope, app) : request.raw
    const decoded = decodeRequest(call, raw, request.method)
    if (handler.mode === 'anonymous') {
      const { ip, agent, requestId, token, upload } = request
      const now = fromInstant(app.clock())
      return encodeOutput(
        handler,
        await handler.run(decoded.input, { app, ip, agent, requestId, now, token, caller, upload }),
      )
    }
    if (!caller) throw new SignInRequired()
    scope = scopeOf(caller, decoded.sender, request, app)
    assertSender(call, scope, decoded.sender)
    checkDataDomain(call, call.input.fields, decoded.input, scope)
    await assertFilesOpen(app, scope, call, { input: decoded.input, sent: request.raw })
    return await runHandler(handler, decoded, request, scope, app)
  } catch (e) {
    const refused = e instanceof UnknownSecret ? await missOf(app.database, e, request.ip) : toRefused(e)
    if (!refused) throw e
    if (scope && refused.code === resultCode.forbidden) {
      await refusalLogOf(app).record(scope, call.route, refused)
    }
    return encodeRefusal(refused)
  }
}
