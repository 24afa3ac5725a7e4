import { useEffect, useState } from 'react'
import type { MediaItem } from '#kit/web/phone/media-field.tsx'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
import { readStored, saveStored } from '#kit/web/browser-store.ts'
import { newUuid } from '#kit/web/send.ts'
import { upload } from '#kit/web/upload.ts'
import { uploadFile } from '#modules/system/contract/file.ts'

/** Of a picture on the telephone: the picture, and its key on the server once it is there. */
interface StoredPhoto {
  readonly file: File
  readonly key?: string
}

const storeKeyOf = (photo: string): string => `work-orders.photo/${photo}`

const readPhoto = (photo: string): StoredPhoto | undefined =>
  readStored<StoredPhoto | undefined>(storeKeyOf(photo), undefined)

/** Keeps a picture on the telephone, made smaller; it is sent with its step. */
export async function keepPhoto(file: File): Promise<string> {
  const photo = newUuid()
  saveStored(storeKeyOf(photo), { file: await shrinkPhoto(file, `${photo}.jpg`) } satisfies StoredPhoto)
  return photo
}

export const dropPhotos = (photos: readonly string[]): void =>
  photos.forEach(photo => saveStored(storeKeyOf(photo), undefined))

const uploadOptions = { quiet: true, project: 0, timeout: 60_000 } as const

/** The keys of pictures on the server. Each is sent once, also when the step behind it fails. */
export async function uploadPhotos(photos: readonly string[]): Promise<string[]> {
  const keys: string[] = []
  for (const photo of photos) {
    const stored = readPhoto(photo)
    if (!stored) continue
    const key = stored.key ?? (await upload(uploadFile, {}, stored.file, uploadOptions)).key
    saveStored(storeKeyOf(photo), { ...stored, key } satisfies StoredPhoto)
    keys.push(key)
  }
  return keys
}

/** Pictures on the telephone as a form shows them. */
export function usePhotoItems(photos: readonly string[]): readonly MediaItem[] {
  const [items, setItems] = useState<readonly MediaItem[]>([])
  useEffect(() => {
    const shown = photos.map(key => {
      const stored = readPhoto(key)
      return { key, url: stored ? URL.createObjectURL(stored.file) : '' }
    })
    setItems(shown)
    return () => shown.forEach(item => URL.revokeObjectURL(item.url))
  }, [photos])
  return items
}
