import { createHash } from 'node:crypto'
import { keyOf } from '#kit/contract/field.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { toRefused } from '#kit/server/handler/refusal.ts'
import type { RawEndpoint, RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import { findLaneList } from '#modules/parking/server/public.ts'
import { cameraMaker } from '../contract/choices.ts'
import { UnreadableMessage } from './adapters/adapter.ts'
import { adapters } from './adapters/makers.ts'
import {
  authenticate,
  basePath,
  refusedAnswer,
  RefusedRequest,
  type Authenticated,
  type CameraPath,
} from './authenticate.ts'
import { nonceStatement, seenStatement } from './camera-rows.ts'
import { receivePoll, receiveResult, type CommandResult } from './poll.ts'
import { receiveReading, wayOf } from './receive-reading.ts'

/** A picture of a megabyte as text, and the words around it. */
const maxBodyBytes = 2 * 1024 * 1024

const json = (status: number, body: object): RawResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

/** Older firmware writes Chinese in GB 18030 whatever its content type says. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

type Work = (app: App, request: RawRequest, caller: Authenticated) => Promise<RawResponse>

/** A request of a camera that is known; what is refused is answered in words. */
const endpoint = (path: CameraPath, work: Work, bytes?: number): RawEndpoint => ({
  route: `${path.method} ${basePath}/:adapter/:company/:serial${path.tail}` as RawEndpoint['route'],
  ...(bytes === undefined ? {} : { maxBodyBytes: bytes }),
  isFrequent: true,
  run: async (request, app) => {
    try {
      const caller = await authenticate(app, request, path)
      return await work(app, { ...request, body: textOf(request.bytes) }, caller)
    } catch (error) {
      if (error instanceof RefusedRequest) return refusedAnswer(app, error)
      if (error instanceof UnreadableMessage) return json(400, { message: error.message })
      // A camera knows no envelope: it would take the refusal in it for a receipt.
      const refused = toRefused(error)
      if (!refused) throw error
      return json(refused.code === resultCode.invalidInput ? 400 : 503, { message: refused.message })
    }
  },
})

const receiveMessage: Work = async (app, request, { camera, nonce }) => {
  const adapter = adapters[defined(keyOf(cameraMaker, camera.maker))]
  const message = adapter.parse(request)
  const options = { nonce, ip: request.ip }
  if (message.kind === 'reading') {
    const answer = await receiveReading(app, camera, message.reading, options)
    return adapter.answerReading(message.reading, answer)
  }
  if (message.kind === 'poll') return adapter.answerPoll(await receivePoll(app, camera, options))
  await receivePoll(app, { ...camera, opensBarrier: false }, options)
  return adapter.answerOther()
}

/** What the lane may let pass without a line; a lane that has it already hears just that. */
const sendList: Work = async (app, { headers }, { camera, nonce }) => {
  const { ownerId, projectCode, parkId } = camera
  const now = new Date(app.clock())
  await app.database.tx(ownerId, async tx => {
    const nonces = nonce === undefined ? [1] : await tx.rows(nonceStatement(camera, nonce, now))
    if (!nonces.length) throw new RefusedRequest(409, '请求已经收到过，请使用新的 nonce 重新签名')
    await tx.execute(seenStatement(camera, now))
  })
  const reader = app.database.reader(ownerId)
  const list = await findLaneList(reader, ownerId, { projectCode, parkId }, dayOfInstant(app.clock()))
  const body = JSON.stringify({ way: wayOf(camera), ...list })
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  return headers['if-none-match'] === etag
    ? { status: 304, type: 'application/json; charset=utf-8', etag }
    : { type: 'application/json; charset=utf-8', body, etag }
}

const maxResult = 200

function readResult(body: string): CommandResult {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    throw new UnreadableMessage('内容不是正确的 JSON')
  }
  if (!isObject(message)) throw new UnreadableMessage('内容不是正确的 JSON')
  const commandId = parseId(String(message.commandId ?? ''))
  if (!commandId || typeof message.isDone !== 'boolean') {
    throw new UnreadableMessage('请填写 commandId 与 isDone')
  }
  const result = typeof message.result === 'string' ? message.result : ''
  return { commandId, isDone: message.isDone, result: result.replaceAll('\0', '').slice(0, maxResult) }
}

const keepResult: Work = async (app, { body, ip }, { camera, nonce }) => {
  await receiveResult(app, camera, readResult(body), { nonce, ip })
  return json(200, { message: '已收到' })
}

export const cameraEndpoints: readonly RawEndpoint[] = [
  endpoint({ method: 'POST', tail: '' }, receiveMessage, maxBodyBytes),
  endpoint({ method: 'GET', tail: '/list' }, sendList),
  endpoint({ method: 'POST', tail: '/result' }, keepResult),
]
