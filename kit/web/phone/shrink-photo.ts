import { defined } from '#kit/domain/defined.ts'

const maxPhotoPixels = 1280

/** A picture of 1,280 pixels has a few hundred kilobytes: it shows enough and passes a weak network. */
export async function shrinkPhoto(file: File, name = 'photo.jpg'): Promise<File> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, maxPhotoPixels / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  defined(canvas.getContext('2d')).drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  return blob ? new File([blob], name, { type: 'image/jpeg' }) : file
}
