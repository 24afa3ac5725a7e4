import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { encryptionOf } from '#kit/server/encryption.ts'

const keyPrefix = 'cam_'

/** 256 random bits. */
export const newCameraKey = (): string => keyPrefix + randomBytes(32).toString('base64url')

const subjectOf = (ownerId: Id, cameraId: Id): string => `park_camera/${ownerId}/${cameraId}`

/** As it is kept: a signature is checked with the key itself, so that a digest would not do. */
export async function encryptCameraKey(
  app: Pick<App, 'dataDir'>,
  ownerId: Id,
  cameraId: Id,
  key: string,
): Promise<Buffer> {
  const encryption = await encryptionOf(app)
  return encryption.encrypt(key, subjectOf(ownerId, cameraId))
}

export async function decryptCameraKey(
  app: Pick<App, 'dataDir'>,
  ownerId: Id,
  cameraId: Id,
  bytes: Buffer,
): Promise<string> {
  const encryption = await encryptionOf(app)
  return encryption.decrypt(bytes, subjectOf(ownerId, cameraId))
}

export interface SignedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Seconds since 1970. */
  readonly timestamp: string
  readonly nonce: string
  /** As it was sent: other bytes than those of UTF-8 included. */
  readonly body: string | Buffer
}

/** HMAC-SHA256 over the request, in hexadecimal: what a camera sends as `x-signature`. */
export function signatureOf(key: string, { method, path, timestamp, nonce, body }: SignedRequest): string {
  const digest = createHash('sha256').update(body).digest('hex')
  return createHmac('sha256', key).update([method, path, timestamp, nonce, digest].join('\n')).digest('hex')
}

/** In the same time, however much of it is right. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
