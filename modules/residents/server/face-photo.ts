import { buffer } from 'node:stream/consumers'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Files } from '#kit/server/app.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { photoSizeFault } from '../domain/face-photo.ts'
import { readImageSize } from './image-size.ts'

const field = 'FaceUrl'
/** A camera puts a small picture and its settings before the size: up to some 200 KB. */
const headBytes = 256 * 1024

/**
 * What is wrong with a photo for readers: they take JPG and PNG of enough pixels. Light and sharpness are
 * judged where it is taken; whether a face is in it is the readers' to say.
 */
export async function checkFacePhoto(
  files: Pick<Files, 'describe' | 'find'>,
  ownerId: Id,
  key: string,
): Promise<FieldFault[]> {
  const faults = await checkPicture(files, ownerId, key, field, '人脸照片')
  const found = faults.length ? undefined : await files.find(ownerId, key)
  if (!found) return faults
  const end = Math.min(headBytes, found.size) - 1
  const size = end < 0 ? undefined : readImageSize(await buffer(await found.read({ start: 0, end })))
  if (!size) return [{ Field: field, Message: '人脸照片请用 JPG 或 PNG 图片' }]
  const fault = photoSizeFault(size)
  return fault === undefined ? [] : [{ Field: field, Message: fault }]
}
