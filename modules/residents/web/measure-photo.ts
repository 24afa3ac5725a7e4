import { defined } from '#kit/domain/defined.ts'
import { measureGray, type PhotoMeasures } from '../domain/face-photo.ts'

const measuredPixels = 320

/** Of a picture of this browser; throws where it cannot be drawn. */
export async function measurePhoto(file: File): Promise<PhotoMeasures> {
  const picture = await createImageBitmap(file)
  const { width, height } = picture
  const scale = Math.min(1, measuredPixels / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = defined(canvas.getContext('2d', { willReadFrequently: true }))
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const gray = Array.from(
    { length: canvas.width * canvas.height },
    (_, i) => 0.299 * (data[4 * i] ?? 0) + 0.587 * (data[4 * i + 1] ?? 0) + 0.114 * (data[4 * i + 2] ?? 0),
  )
  return { width, height, ...measureGray(gray, canvas.width, canvas.height) }
}
