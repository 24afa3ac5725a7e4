import type { FileKey } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import { detectFileType } from '#kit/server/file-type.ts'
import type { CameraRow } from './camera-rows.ts'

const maxBytes = 1024 * 1024
const headBytes = 4096

export interface SavedPicture {
  readonly key?: FileKey
  /** Why there is none. */
  readonly fault?: string
}

/** The picture of a reading, with its transaction; the car passes with a bad one, too. */
export async function savePicture(
  { files }: Pick<App, 'files'>,
  tx: Tx,
  { ownerId, serialNo }: CameraRow,
  recordKey: string,
  bytes: Buffer | undefined,
): Promise<SavedPicture> {
  if (bytes === undefined) return {}
  if (bytes.length > maxBytes) return { fault: '超过 1 MB' }
  const type = detectFileType(bytes.subarray(0, headBytes), '抓拍')
  if (!type?.startsWith('image/')) return { fault: '不是图片' }
  const name = `车道抓拍-${serialNo}-${recordKey}.${type.slice('image/'.length)}`
  return { key: await files.save(ownerId, 0, { name, type, bytes }, undefined, tx) }
}
