import { routesOf, publicAccess, isWrite, type Call } from '#kit/contract/call.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Choices, Day, Field, Moment } from '#kit/contract/field.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import type { FileResponse } from '#kit/contract/shape.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import {
  Refused,
  resultCode,
  decodeRequest,
  encodeRefusal,
  encodeResponse,
  assertWithinLimits,
  type Envelope,
} from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from './audit.ts'
import type { Db, Tx } from './db.ts'
import { withIdempotency } from './idempotency.ts'
import {
  hasProject,
  requirePermission,
  moduleNotEnabled,
  outOfDomain,
  type Caller,
  type Scope,
} from './scope.ts'
import type { Cron, Job } from './jobs.ts'
import type { RawEndpoint } from './raw-endpoint.ts'
import type { Upload, App } from './app.ts'

/** What every handler may know besides its input. Today and now are Shanghai's. */
interface BaseContext {
  readonly scope: Scope
  readonly today: Day
  readonly now: Moment
  readonly app: App
  readonly signal: AbortSignal
}

export interface ReadContext extends BaseContext {
  readonly db: Db
}

export interface WriteContext extends BaseContext {
  readonly tx: Tx
  readonly upload: Upload | undefined
}

/** Before sign-in there is no company: only the world and the address. */
export interface AnonymousContext {
  readonly app: App
  readonly ip: string
  readonly agent: string
  readonly requestId: string
  readonly now: Moment
  readonly token: string
  readonly caller: Caller | undefined
  readonly upload: Upload | undefined
}

/**
 * A call with its handler. `run` is a method, whose input the compiler compares both ways: decoding has made
 * the input what the call says, so a handler of one input stands for any.
 */
export type Handler =
  | {
      readonly call: Call
      readonly mode: 'reads'
      run(input: unknown, c: ReadContext): Promise<unknown>
    }
  | {
      readonly call: Call
      readonly mode: 'writes'
      run(input: unknown, c: WriteContext): Promise<unknown>
    }
  | {
      readonly call: Call
      readonly mode: 'anonymous'
      run(input: unknown, c: AnonymousContext): Promise<unknown>
    }

/** A handler that only reads. */
export const reads = <I, O>(call: Call<I, O>, run: (input: I, c: ReadContext) => Promise<O>): Handler => ({
  call,
  mode: 'reads',
  run,
})

/** A handler that writes: one transaction, idempotent by `uuid`, all or nothing. */
export const writes = <I, O>(call: Call<I, O>, run: (input: I, c: WriteContext) => Promise<O>): Handler => ({
  call,
  mode: 'writes',
  run,
})

/** A handler at the door, for those who have not signed in, or whose transactions are its own affair. */
export const anonymous = <I, O>(
  call: Call<I, O>,
  run: (input: I, c: AnonymousContext) => Promise<O>,
): Handler => ({
  call,
  mode: 'anonymous',
  run,
})

/**
 * What a module brings to the server: its calls' handlers, its kinds of long work, what it does at set times.
 */
export interface ServerModule {
  readonly handlers: readonly Handler[]
  readonly jobs?: readonly Job[]
  readonly crons?: readonly Cron[]
  readonly rawEndpoints?: readonly RawEndpoint[]
  readonly onStart?: (app: App) => Promise<void> | void
}

export interface ModuleContract {
  readonly calls: readonly Call[]
  readonly entities: readonly Entity[]
  readonly choices: readonly Choices[]
}

export interface InstalledModule {
  readonly manifest: ModuleManifest
  readonly contract: ModuleContract
  readonly server: ServerModule
}

/**
 * Whose call it is: of a module that the company has not taken no call is open, those that ask for no right
 * neither.
 */
const moduleByCall = new WeakMap<Call, string>()

/**
 * Every declared call has exactly one handler of the right sort, and every address one call, or the server
 * does not start.
 */
export function registerHandlers(
  installed: readonly (Pick<InstalledModule, 'contract' | 'server'> &
    Partial<Pick<InstalledModule, 'manifest'>>)[],
): ReadonlyMap<string, Handler> {
  const table = new Map<string, Handler>()
  const faults: string[] = []
  for (const { contract, server, manifest } of installed) {
    const byCall = new Map<Call, Handler>()
    for (const h of server.handlers) {
      if (byCall.has(h.call)) {
        faults.push(`${h.call.route}: two handlers`)
      }
      byCall.set(h.call, h)
    }
    for (const c of contract.calls) {
      const h = byCall.get(c)
      byCall.delete(c)
      if (manifest) {
        moduleByCall.set(c, manifest.name)
      }
      if (!h) {
        faults.push(`${c.route}: no handler`)
        continue
      }
      if (h.mode === 'writes' && !isWrite(c)) {
        faults.push(`${c.route}: reads by its method, yet is handled as a write`)
      }
      if (h.mode === 'reads' && isWrite(c)) {
        faults.push(`${c.route}: writes by its method, yet is handled as a read`)
      }
      if (h.mode === 'writes' && c.output.form === 'blob') {
        faults.push(`${c.route}: a write answers no file: its answer is kept for its twin`)
      }
      if (h.mode !== 'anonymous' && c.needs === publicAccess) {
        faults.push(`${c.route}: open to anybody, yet needs a company`)
      }
      for (const at of routesOf(c)) {
        if (table.has(at)) {
          faults.push(`${at}: named by ${table.get(at)!.call.route} and ${c.route}`)
        }
        table.set(at, h)
      }
    }
    for (const c of byCall.keys()) {
      faults.push(`${c.route}: handled, but not declared`)
    }
  }
  if (faults.length) throw new Error(`Calls and handlers disagree:\n${faults.join('\n')}`)
  return table
}

export interface IncomingRequest {
  readonly raw: Readonly<Record<string, unknown>>
  readonly caller: Caller | undefined
  readonly token: string
  readonly ip: string
  readonly agent: string
  readonly requestId: string
  /** Aborts when the caller has gone; made on first need. */
  readonly signal: () => AbortSignal
  readonly upload?: Upload | undefined
}

/** 401: no token, an ended or a renewed-away one. */
export class SignInRequired extends Error {}

/**
 * Values of fields marked `within` must lie in the caller's data domain, wherever in the input they stand.
 */
function checkDataDomain(fields: Readonly<Record<string, Field>>, value: unknown, who: Caller): void {
  if (who.domain.all || value === null || typeof value !== 'object') return
  const v = value as Readonly<Record<string, unknown>>
  for (const key in fields) {
    const f = fields[key]!
    const x = v[key]
    if (x === undefined) continue
    if (f.dataDomain === 'project') {
      for (const p of Array.isArray(x) ? x : [x]) {
        if (!hasProject(who.domain, String(p))) throw outOfDomain()
      }
    } else if (f.kind === 'part') {
      checkDataDomain(nestedFieldsOf(f), x, who)
    } else if (f.kind === 'lines') {
      for (const row of x as unknown[]) {
        checkDataDomain(nestedFieldsOf(f), row, who)
      }
    }
  }
}

const passwordChangeRequired = (): Refused =>
  new Refused(resultCode.forbidden, '首次登录或密码已被重置，请先修改密码')

/** Refuses who may not make the call; asked before anything of it is read, an upload too. */
export function authorize(call: Call, caller: Caller | undefined): void {
  if (!caller && call.needs !== publicAccess) throw new SignInRequired()
  if (!caller) return
  if (caller.disabledModules?.has(moduleByCall.get(call) ?? '')) throw moduleNotEnabled(caller)
  if (typeof call.needs !== 'object') return
  if (caller.mustChangePassword) throw passwordChangeRequired()
  if (caller.mustBindSecondFactor)
    throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
  requirePermission(caller, call.needs)
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
  readonly #asked: IncomingRequest
  constructor(scope: Scope, now: Moment, world: App, asked: IncomingRequest, db: Db) {
    this.scope = scope
    this.now = now
    this.today = dayOfMoment(now)
    this.app = world
    this.db = db
    this.tx = db as Tx
    this.upload = asked.upload
    this.#asked = asked
  }
  get signal(): AbortSignal {
    return this.#asked.signal()
  }
}

/**
 * Order is the policy: who, may they, what do they say, where — then the handler. Answers the envelope, or
 * the file of a download.
 */
export async function handleRequest(
  h: Handler,
  asked: IncomingRequest,
  app: App,
): Promise<Envelope | FileResponse> {
  const { call } = h
  const { caller, upload } = asked
  let scope: Scope | undefined
  const sealed = (out: unknown): Envelope | FileResponse =>
    call.output.form === 'blob' ? (out as FileResponse) : encodeResponse(call, out)
  try {
    authorize(call, caller)
    assertWithinLimits(asked.raw)
    const { input, sender } = decodeRequest(call, asked.raw)
    const now = fromInstant(app.clock())
    if (h.mode === 'anonymous')
      return sealed(
        await h.run(input, {
          app,
          ip: asked.ip,
          agent: asked.agent,
          requestId: asked.requestId,
          now,
          token: asked.token,
          caller,
          upload,
        }),
      )
    const here: Scope = {
      ...caller!,
      projectCode: sender.projectCode,
      ip: asked.ip,
      requestId: asked.requestId,
      time: new Date(app.clock()).toISOString(),
    }
    scope = here
    const lies = (said: number | undefined, is: number): boolean =>
      said !== undefined && said !== 0 && said !== is
    if (lies(sender.ownerId, here.ownerId) || lies(sender.operatorId, here.operatorId))
      throw new Refused(resultCode.forbidden, '无权执行此操作')
    if (sender.projectCode && !hasProject(here.domain, sender.projectCode)) throw outOfDomain()
    checkDataDomain(call.input.fields, input, here)
    if (h.mode === 'reads')
      return sealed(
        await h.run(
          input,
          new RequestContext(here, now, app, asked, app.database.reader(here.ownerId, asked.signal)),
        ),
      )
    // A write goes on when its client has gone: it may have been meant, and its `uuid` tells the outcome.
    const said = upload ? { ...asked.raw, upload: [upload.name, upload.size] } : asked.raw
    return await app.database.tx(here.ownerId, tx =>
      withIdempotency(tx, here, call, sender.uuid, said, async () =>
        encodeResponse(call, await h.run(input, new RequestContext(here, now, app, asked, tx))),
      ),
    )
  } catch (e) {
    const refused = toRefused(e)
    if (!refused) throw e
    // A step outside the data domain is worth a row of its own (PERM-6); it must not disturb the answer.
    if (scope && refused.code === resultCode.forbidden) {
      const s = scope
      await app.database
        .tx(s.ownerId, tx =>
          audit(tx, s, [
            {
              action: 'refused',
              entity: call.route,
              entityId: 0,
              projectCode: s.projectCode || undefined,
              reason: refused.message,
            },
          ]),
        )
        .catch(x => app.log.warn({ err: x }, 'refusal not audited'))
    }
    return encodeRefusal(refused)
  }
}

/** What PostgreSQL's own guards say, in people's words. */
const refusalBySqlState: Readonly<Record<string, (constraint: string) => Refused>> = {
  '23505': c =>
    new Refused(resultCode.refused, messageByConstraint.get(c) ?? '已存在相同的记录，请核对后重试'),
  '23P01': c =>
    new Refused(resultCode.refused, messageByConstraint.get(c) ?? '与已有的记录重叠，请核对后重试'),
  '23503': () => new Refused(resultCode.refused, '引用的数据不存在或正在被使用，请刷新后重试'),
  '22003': () => new Refused(resultCode.invalidInput, '数值超出允许的范围'),
  '22008': () => new Refused(resultCode.invalidInput, '日期超出允许的范围'),
  '22021': () => new Refused(resultCode.invalidInput, '文本中含有无法保存的字符，请删除后重试'),
  '22P05': () => new Refused(resultCode.invalidInput, '文本中含有无法保存的字符，请删除后重试'),
  '40P01': () => new Refused(resultCode.refused, '同时操作的人较多，请稍后重试'),
  '40001': () => new Refused(resultCode.refused, '同时操作的人较多，请稍后重试'),
  '55P03': () => new Refused(resultCode.refused, '该数据正在被他人处理，请稍后重试'),
  '57014': () => new Refused(resultCode.refused, '查询时间过长已停止，请缩小范围后重试'),
}

export function toRefused(e: unknown): Refused | undefined {
  if (e instanceof Refused) return e
  const { code: state, constraint } = e as { code?: string; constraint?: string }
  return Object.hasOwn(refusalBySqlState, state ?? '')
    ? refusalBySqlState[state!]!(constraint ?? '')
    : undefined
}

const messageByConstraint = new Map<string, string>()

/** Names in words what a unique index of the module protects: `{ room_no_live: '该单元已有此房号' }`. */
export const uniqueMessages = (words: Readonly<Record<string, string>>): void => {
  for (const [k, v] of Object.entries(words)) {
    messageByConstraint.set(k, v)
  }
}
