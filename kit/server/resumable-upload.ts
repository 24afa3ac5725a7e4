// Uploads that go on after a lost network: bytes by the tus protocol, under an id of one operator. When all
// of them are here, a call takes the upload by its id (`claimUpload`).
import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { Server as TusServer, type ServerOptions as TusOptions } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Permission } from '#kit/contract/call.ts'
import { Refused, encodeRefusal, notFound, refuse, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App, Upload } from './app.ts'
import { sql, type Db, type Tx } from './db.ts'
import { detectFileType } from './file-type.ts'
import { SignInRequired, assertSetUp, toRefused } from './handler.ts'
import { sendJson } from './http-response.ts'
import { joinedHeaders } from './raw-endpoint.ts'
import { requirePermission, type Caller } from './scope.ts'
import { headBytes, normalizeFileName } from './upload.ts'
import { protocolRefusal } from './upload-refusal.ts'
import { UploadStore, assertUploadSpace, findUploadSession, stagedPath, uploadOwner } from './upload-store.ts'

export interface UploadDraft {
  readonly name: string
  readonly size: number
  /** What the sender says of it beside its name: where it belongs. */
  readonly details: Readonly<Record<string, string>>
}

/** What large files are uploaded for: a module registers one, and its call takes what has arrived. */
export interface UploadPurpose {
  readonly name: string
  readonly needs: Permission
  /** Refuses before a byte is received. Returns the project that the upload counts to. */
  readonly accept: (tx: Tx, caller: Caller, draft: UploadDraft) => Promise<string>
  /** Refuses what has arrived, by its bytes. */
  readonly inspect?: (file: Pick<Upload, 'name' | 'size' | 'type'>) => void
}

/** An unfinished or finished upload that no call has taken is dropped after this time. */
export const uploadLifetimeMs = 86_400_000
/** Uploads that one operator may have open. */
const maxOpenUploads = 1000
const path = '/api/upload'
const tusVersion = '1.0.0'
/** Bytes that open uploads of a project will take when they are done. */
export async function reservedUploadBytes(
  db: Db,
  ownerId: Id,
  purpose: string,
  projectCode: string,
): Promise<number> {
  const found = await db.one<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::bigint as bytes
    from upload_session
    where owner_id = ${ownerId} and purpose = ${purpose} and project_code = ${projectCode}
  `)
  return found?.bytes ?? 0
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function requireFileType(file: string, name: string): Promise<string> {
  const type = detectFileType(await readHead(file), name)
  if (!type) throw new Refused(resultCode.invalidInput, '文件内容与扩展名不符，请重新选择')
  return type
}

/** A whole upload of the caller's: gone from the open ones when this transaction commits. */
export async function claimUpload(
  tx: Tx,
  app: Pick<App, 'dataDir'>,
  caller: Caller,
  purpose: string,
  id: string,
): Promise<Upload> {
  const session = await tx.one<{ name: string; size: number; sha256?: string }>(sql`
    delete from upload_session
    where owner_id = ${caller.ownerId}
      and id = ${id}
      and operator_id = ${caller.operatorId}
      and purpose = ${purpose}
    returning name, size, sha256
  `)
  if (!session) return refuse('上传已过期或已完成，请刷新后重新上传')
  const file = stagedPath(app.dataDir, id)
  const info = await stat(file).catch(() => undefined)
  if (info?.size !== session.size) return refuse('文件上传不完整，请继续上传')
  const type = await requireFileType(file, session.name)
  tx.onCommit(() => rm(file, { force: true }))
  const { name, size, sha256 } = session
  return { name, size, type, path: file, ...(sha256 !== undefined && { sha256 }) }
}

async function addSession(
  app: App,
  purposes: ReadonlyMap<string, UploadPurpose>,
  caller: Caller,
  id: string,
  size: number,
  metadata: Readonly<Record<string, string | null>>,
): Promise<void> {
  const { filename, purpose: purposeName, ...rest } = metadata
  const purpose = purposes.get(purposeName ?? '')
  if (!purpose) throw notFound()
  requirePermission(caller, purpose.needs)
  const details = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, value ?? '']))
  const draft: UploadDraft = { name: normalizeFileName(filename ?? ''), size, details }
  const accept = (tx: Tx): Promise<string> => purpose.accept(tx, caller, draft)
  await assertUploadSpace(app, size).catch(async (error: unknown) => {
    // A quota that is full is the sender's to know, and goes before the disk.
    await app.database.tx(caller.ownerId, accept)
    throw error
  })
  await app.database.tx(caller.ownerId, async tx => {
    const projectCode = await accept(tx)
    const added = await tx.execute(sql`
      insert into upload_session (
        owner_id, id, operator_id, purpose, project_code, name, size, create_time
      )
      select ${caller.ownerId}::bigint, ${id}, ${caller.operatorId}::bigint, ${purpose.name}, ${projectCode},
        ${draft.name}, ${size}::bigint, ${new Date(app.clock())}::timestamptz
      where (
        select count(*)
        from upload_session
        where owner_id = ${caller.ownerId} and operator_id = ${caller.operatorId}
      ) < ${maxOpenUploads}
      returning id
    `)
    if (!added) refuse('同时上传的文件太多，请等前面的传完再继续')
  })
}

type ProtocolRequest = Parameters<NonNullable<TusOptions['onIncomingRequest']>>[0]

/** Callers by their request, found before the protocol's server takes over. */
type Callers = WeakMap<object, Caller>

/** Looked at when the last byte is here: what is refused then does not stay. */
async function inspectArrived(
  app: App,
  purposes: ReadonlyMap<string, UploadPurpose>,
  store: UploadStore,
  id: string,
): Promise<void> {
  const ownerId = uploadOwner(id)
  const session = await findUploadSession(app.database.reader(ownerId), ownerId, id)
  if (!session) throw notFound()
  const { name, size, purpose } = session
  try {
    const type = await requireFileType(stagedPath(app.dataDir, id), name)
    purposes.get(purpose)?.inspect?.({ name, size, type })
  } catch (error) {
    await store.remove(id)
    throw error
  }
}

function openProtocol(app: App, purposes: ReadonlyMap<string, UploadPurpose>, callers: Callers): TusServer {
  const store = new UploadStore(app)
  const callerOf = (req: ProtocolRequest): Caller => {
    const caller = callers.get(req)
    if (!caller) throw new SignInRequired()
    return caller
  }
  // The protocol's lock is one of this process. Two processes may write one upload at once when a connection
  // hangs; both write the same bytes to the same places.
  return new TusServer({
    path,
    datastore: store,
    relativeLocation: true,
    allowedOrigins: [],
    namingFunction: req => `${callerOf(req).ownerId}-${randomBytes(20).toString('hex')}`,
    onUploadCreate: async (req, upload) => {
      if (upload.size === undefined) throw new Refused(resultCode.invalidInput, '请说明文件大小')
      if (upload.size === 0) throw new Refused(resultCode.invalidInput, '文件是空的，请重新选择')
      await addSession(app, purposes, callerOf(req), upload.id, upload.size, upload.metadata ?? {})
      return {}
    },
    onUploadFinish: async (_, upload) => {
      await inspectArrived(app, purposes, store, upload.id)
      return {}
    },
    onResponseError: (_, error) => {
      const refused = error instanceof Error ? toRefused(error) : undefined
      if (refused) return { status_code: 400, body: JSON.stringify(encodeRefusal(refused)) }
      if (error instanceof Error) {
        app.log.error({ err: error }, 'upload')
        return undefined
      }
      return { ...error, body: JSON.stringify(protocolRefusal(error.status_code)) }
    },
  })
}

async function findCaller(app: App, req: FastifyRequest): Promise<Caller> {
  const token = String(req.headers.token ?? '')
  const session = token ? await app.sessions.find(token) : undefined
  if (!session) throw new SignInRequired()
  assertSetUp(session.caller)
  return session.caller
}

/** A client of the protocol starts again where its upload is missing: it looks at the status alone. */
const statusOfRefusal = (refused: Refused): number => (refused.code === resultCode.notFound ? 404 : 400)

/** Only the user who began an upload may continue it; to all others it does not exist. */
async function assertOwnUpload(app: App, caller: Caller, id: string): Promise<void> {
  const session =
    uploadOwner(id) !== 0 &&
    (await findUploadSession(app.database.reader(caller.ownerId), caller.ownerId, id))
  if (!session || session.operatorId !== caller.operatorId) throw notFound()
}

/**
 * The request as the protocol's library reads it. Its body gives the chunks of the connection themselves:
 * Node's own adapter copies each, and to collect the copies costs more than to write them. A refusal must not
 * cut the connection that it is answered on.
 */
function toWebRequest({ method, url, headers, raw }: FastifyRequest): Request {
  const body = ['POST', 'PATCH'].includes(method)
    ? ReadableStream.from<Uint8Array>(raw.iterator({ destroyOnReturn: false }))
    : null
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: Object.entries(joinedHeaders(headers)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] satisfies [string, string]],
    ),
    body,
    duplex: 'half',
  })
}

/** The library's own answer; it refuses by itself what it cannot read of the headers, and in English. */
function sendAnswer(
  req: FastifyRequest,
  reply: FastifyReply,
  { status, headers }: Response,
  body: string,
): FastifyReply | Promise<FastifyReply> {
  reply.code(status).headers(Object.fromEntries(headers))
  if (status < 400 || body.startsWith('{')) return reply.send(body)
  reply.removeHeader('content-length')
  return sendJson(req, reply, protocolRefusal(status))
}

/** `/api/upload`: POST begins, HEAD tells how far it is, PATCH goes on, DELETE gives up. */
export function addResumableUploads(
  http: FastifyInstance,
  app: App,
  purposes: readonly UploadPurpose[],
  throttle: (caller: Caller, ip: string) => void,
): void {
  const callers: Callers = new WeakMap()
  const protocol = openProtocol(app, new Map(purposes.map(purpose => [purpose.name, purpose])), callers)
  void http.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, __, done) => done(null))
    scope.route<{ Params: { id?: string } }>({
      method: ['POST', 'HEAD', 'PATCH', 'DELETE'],
      url: `${path}/:id?`,
      exposeHeadRoute: false,
      handler: async (req, reply) => {
        const caller = await findCaller(app, req)
        throttle(caller, req.ip)
        try {
          if (req.method !== 'POST') {
            await assertOwnUpload(app, caller, req.params.id ?? '')
          }
          if (req.headers['tus-resumable'] !== tusVersion)
            return await sendJson(req, reply.code(412), protocolRefusal(412))
        } catch (error) {
          if (!(error instanceof Refused)) throw error
          return sendJson(req, reply.code(statusOfRefusal(error)), encodeRefusal(error))
        }
        const request = toWebRequest(req)
        callers.set(request, caller)
        const response = await protocol.handleWeb(request)
        return sendAnswer(req, reply, response, await response.text())
      },
    })
  })
}
