import { useEffect, useState } from 'react'
import { readStored, saveStored, whenWritten } from '../browser-store.ts'
import { saveFile, useFileUrls } from '../file-store.ts'
import { newUuid } from '../send.ts'
import type { MediaItem } from './media-field.tsx'
import { shrinkPhoto } from './shrink-photo.ts'

/** Of a picture on the phone: the picture, and its key on the server once it is there. */
interface StoredPhoto {
  readonly file: File
  readonly key?: string
}

const storeKeyOf = (photo: string): string => `phone.photo/${photo}`

const readPhoto = (photo: string): StoredPhoto | undefined =>
  readStored<StoredPhoto | undefined>(storeKeyOf(photo), undefined)

/**
 * Keeps a picture on the phone, made smaller, until what it belongs to is sent. Returns its name there.
 */
export async function keepPhoto(file: File): Promise<string> {
  const photo = newUuid()
  saveStored(storeKeyOf(photo), { file: await shrinkPhoto(file, `${photo}.jpg`) } satisfies StoredPhoto)
  return photo
}

export const dropPhotos = (photos: readonly string[]): void =>
  photos.forEach(photo => saveStored(storeKeyOf(photo), undefined))

/**
 * The keys of pictures on the server; one that is there already is named by its key. Each is sent once, also
 * when what follows fails or the page ends: a request that is repeated under its number must name the same
 * keys, or the server refuses it.
 */
export async function uploadPhotos(photos: readonly string[]): Promise<string[]> {
  const keys: string[] = []
  for (const photo of photos) {
    const stored = readPhoto(photo)
    const key = stored ? (stored.key ?? (await saveFile(stored.file))) : photo
    if (stored) {
      saveStored(storeKeyOf(photo), { ...stored, key } satisfies StoredPhoto)
    }
    keys.push(key)
  }
  await whenWritten()
  return keys
}

/** Pictures of the phone and of the server as a form shows them. */
export function usePhotoItems(photos: readonly string[]): readonly MediaItem[] {
  const [localUrls, setLocalUrls] = useState<ReadonlyMap<string, string>>(new Map())
  const serverKeys = photos.filter(photo => readPhoto(photo) === undefined)
  const serverUrls = useFileUrls(serverKeys)
  useEffect(() => {
    const shown = new Map<string, string>()
    for (const photo of photos) {
      const stored = readPhoto(photo)
      if (stored) {
        shown.set(photo, URL.createObjectURL(stored.file))
      }
    }
    setLocalUrls(shown)
    return () => shown.forEach(url => URL.revokeObjectURL(url))
  }, [photos])
  return photos.map(key => ({
    key,
    url: localUrls.get(key) ?? serverUrls[serverKeys.indexOf(key)] ?? '',
  }))
}
