import { useState } from 'react'
import { saveFile, useFileUrls } from '#kit/web/file-store.ts'
import type { MediaItem } from '#kit/web/phone/media-field.tsx'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'

export interface Photos {
  readonly keys: readonly string[]
  readonly items: readonly MediaItem[]
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly add: (files: readonly File[]) => void
  readonly remove: (key: string) => void
}

/** Photos of a form on the telephone: made small, stored one after the other, named by their keys. */
export function usePhotos(initial: readonly string[] = []): Photos {
  const [keys, setKeys] = useState(initial)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const urls = useFileUrls(keys)
  const store = async (files: readonly File[]): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    try {
      for (const photo of files) {
        const key = await saveFile(await shrinkPhoto(photo))
        setKeys(before => [...before, key])
      }
    } catch (e) {
      setFault(e instanceof Error && e.message ? `照片上传失败：${e.message}` : '照片上传失败，请重试')
    } finally {
      setBusy(false)
    }
  }
  return {
    keys,
    items: keys.map((key, i) => ({ key, url: urls[i] ?? '' })),
    isBusy,
    fault,
    add: files => void store(files),
    remove: key => setKeys(before => before.filter(k => k !== key)),
  }
}
