import { useState } from 'react'
import { useStored } from '../browser-store.ts'
import { personalKey } from '../session.ts'
import type { MediaItem } from './media-field.tsx'
import { dropPhotos, keepPhoto, usePhotoItems } from './stored-photos.ts'

export interface FormPhotos {
  /** Photos taken on the phone, and those on the server that the form was opened with. */
  readonly photos: readonly string[]
  readonly items: readonly MediaItem[]
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly add: (files: readonly File[]) => void
  readonly remove: (photo: string) => void
  /** Empties the list, once the photos were sent or queued with the form. */
  readonly clear: () => void
}

const none: readonly string[] = []

/** The storage key of a form's photos, separate for each user of a shared phone. */
export const formPhotosKey = (name: string): string => personalKey(name)

/**
 * Pictures of a form that is not sent yet: a phone may end the page while its camera is open. `name`
 * tells the form from others.
 */
export function useFormPhotos(name: string, initial: readonly string[] = none): FormPhotos {
  const [stored, setStored] = useStored<readonly string[] | undefined>(formPhotosKey(name), undefined)
  const photos = stored ?? initial
  const items = usePhotoItems(photos)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const add = async (files: readonly File[]): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      const added = await Promise.all(files.map(keepPhoto))
      setStored([...photos, ...added])
    } catch {
      setFault('无法读取图片，请重拍或换一张')
    } finally {
      setBusy(false)
    }
  }
  return {
    photos,
    items,
    isBusy,
    fault,
    add: files => void add(files),
    remove: photo => {
      dropPhotos([photo])
      setStored(photos.filter(other => other !== photo))
    },
    clear: () => setStored(undefined),
  }
}
