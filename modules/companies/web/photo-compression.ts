import { defined } from '#kit/domain/defined.ts'
import { maxPhotoBytes } from '../contract/join.ts'

const maxPixels = 1280

/**
 * A telephone's photograph, small enough to be sent: at most 1,280 px, as JPEG, without what else the file
 * says of place and device.
 */
export async function compressPhoto(file: File): Promise<File> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!picture) {
    if (file.size <= maxPhotoBytes) return file
    throw new Error('照片不能超过 2048 KB，请换一张或压缩后再选')
  }
  const part = Math.min(1, maxPixels / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * part))
  canvas.height = Math.max(1, Math.round(picture.height * part))
  defined(canvas.getContext('2d')).drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const made = await new Promise<globalThis.Blob | null>(done => canvas.toBlob(done, 'image/jpeg', 0.86))
  if (!made) throw new Error('图片无法识别，请换一张')
  return new File([made], 'photo.jpg', { type: 'image/jpeg' })
}
