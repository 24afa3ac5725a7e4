import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import { detectFileType } from '#kit/server/file-type.ts'
import type { NewPassage } from './new-passage.ts'

const maxBytes = 200 * 1024
const savedAtOnce = 8

export interface SavedPicture {
  readonly key?: string
  /** Why there is none, in words. */
  readonly fault?: string
}

const headBytes = 4096

function decode(picture: string): { readonly bytes: Buffer; readonly type: string } | string {
  const base64 = picture.replace(/^data:[\w/+.-]+;base64,/, '')
  if (base64.length > Math.ceil(maxBytes / 3) * 4) return '超过 200 kB'
  const bytes = Buffer.from(base64, 'base64')
  const type = detectFileType(bytes.subarray(0, headBytes), '抓拍')
  return type?.startsWith('image/') ? { bytes, type } : '不是图片'
}

async function savePicture(
  { files }: App,
  tx: Tx,
  ownerId: Id,
  { picture, deviceId, recordKey }: NewPassage,
): Promise<SavedPicture> {
  if (picture === undefined) return {}
  const decoded = decode(picture)
  if (typeof decoded === 'string') return { fault: decoded }
  const { bytes, type } = decoded
  const name = `通行抓拍-${deviceId}-${recordKey}.${type.slice('image/'.length)}`
  return { key: await files.save(ownerId, 0, { name, type, bytes }, undefined, tx) }
}

/** The pictures of records, in their order; with the transaction, or not at all. */
export async function savePictures(
  app: App,
  tx: Tx,
  ownerId: Id,
  passages: readonly NewPassage[],
): Promise<SavedPicture[]> {
  const saved: SavedPicture[] = []
  for (let at = 0; at < passages.length; at += savedAtOnce) {
    const some = passages.slice(at, at + savedAtOnce)
    saved.push(...(await Promise.all(some.map(passage => savePicture(app, tx, ownerId, passage)))))
  }
  return saved
}
