import { keyOf } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import type { RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { cameraAuth, cameraMaker } from '../contract/choices.ts'
import { decryptCameraKey, isSameText, signatureOf } from './camera-key.ts'
import { findCamera, type CameraRow } from './camera-rows.ts'

/** A request of a camera that is not taken: answered with the words, nothing of it is kept. */
export class RefusedRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** How far the time of a signature may be from the server's, and how long nonces are kept at least. */
export const signatureSeconds = 300
/** Wrong keys of one address in a minute before the answer says that they are too many. */
const maxWrongKeys = 20
const noncePattern = /^[\w-]{8,64}$/

/** Also tells the time, so that a camera whose clock is off can sign by the server's. */
export const refusedAnswer = (
  { clock }: Pick<App, 'clock'>,
  { status, message }: RefusedRequest,
): RawResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({
    message,
    serverTime: fromInstant(clock()),
    serverTimestamp: Math.floor(clock() / 1000),
  }),
})

const wrongKey = (): RefusedRequest => new RefusedRequest(401, '相机、密钥或签名不正确，请核对推送地址与密钥')

export interface CameraPath {
  readonly method: 'GET' | 'POST'
  /** After the address of the camera: `/list`. */
  readonly tail: string
}

export const basePath = '/api/parking/v1'

export const cameraPath = (adapter: string, company: string, serial: string): string =>
  `${basePath}/${adapter}/${company}/${serial}`

export interface Authenticated {
  readonly camera: CameraRow
  /** Of a signed request: to be written with what the request does. */
  readonly nonce: string | undefined
}

function assertSigned(
  key: string,
  { headers, bytes, params }: RawRequest,
  { method, tail }: CameraPath,
  now: number,
): string {
  const { 'x-timestamp': timestamp = '', 'x-nonce': nonce = '', 'x-signature': signature = '' } = headers
  const path = cameraPath(params.adapter ?? '', params.company ?? '', params.serial ?? '') + tail
  const expected = signatureOf(key, { method, path, timestamp, nonce, body: bytes })
  if (!noncePattern.test(nonce) || !isSameText(expected, signature.toLowerCase())) throw wrongKey()
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - now / 1000) > signatureSeconds) {
    throw new RefusedRequest(401, '签名时间与服务器相差超过 5 分钟，请按 serverTimestamp 重新签名')
  }
  return nonce
}

const isOwnMachine = (ip: string): boolean => ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1'

/** Makers that cannot sign send the key itself: over a line that nobody listens to. */
function assertBasic(key: string, { headers, origin, ip }: RawRequest, serialNo: string): void {
  if (!origin.startsWith('https:') && !isOwnMachine(ip)) {
    throw new RefusedRequest(403, '用户名与密钥只能经 HTTPS 发送，请在相机上启用 SSL')
  }
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  if (!isSameText(Buffer.from(encoded, 'base64').toString('utf8'), `${serialNo}:${key}`)) throw wrongKey()
}

async function check(app: App, request: RawRequest, path: CameraPath): Promise<Authenticated> {
  const { adapter = '', company = '', serial = '' } = request.params
  const ownerId = parseId(company)
  const camera = ownerId ? await findCamera(app.database.reader(ownerId), ownerId, serial) : undefined
  if (!camera?.runKey || keyOf(cameraMaker, camera.maker) !== adapter) throw wrongKey()
  const key = await decryptCameraKey(app, ownerId, camera.id, camera.runKey).catch(() => undefined)
  if (key === undefined) throw wrongKey()
  const isSigned = keyOf(cameraAuth, camera.authMode) === 'signed'
  const nonce = isSigned ? assertSigned(key, request, path, app.clock()) : undefined
  if (!isSigned) {
    assertBasic(key, request, camera.serialNo)
  }
  if (keyOf(enabledState, camera.state) !== 'on') {
    throw new RefusedRequest(403, '相机已停用，请先在「停车设置」启用')
  }
  return { camera, nonce }
}

/**
 * Which camera sent a request. Guesses are slowed down by their address; what is right is taken in any case:
 * all lanes of a site may have one address.
 */
export async function authenticate(app: App, request: RawRequest, path: CameraPath): Promise<Authenticated> {
  try {
    return await check(app, request, path)
  } catch (error) {
    if (!(error instanceof RefusedRequest) || error.status !== 401) throw error
    const wrong = await countHit(app.database, `camera-key ${request.ip}`)
    throw wrong > maxWrongKeys ? new RefusedRequest(429, '密钥错误次数过多，请一分钟后再试') : error
  }
}
