import { useState } from 'react'
import type { MediaItem } from '#kit/web/phone/media-field.tsx'
import { readStored, saveStored, useStored } from '#kit/web/browser-store.ts'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
import { upload } from '#kit/web/upload.ts'
import { uploadResidentFile } from '../contract/resident.ts'
import { maxVideoBytes } from '../contract/work-order.ts'
import { describeProblem } from './resident-problem.tsx'

const maxVideoMegabytes = maxVideoBytes / 1024 / 1024

interface KeptItem extends MediaItem {
  readonly savedAt: number
}

const noItems: readonly KeptItem[] = []
// The server takes a file within a day; a little less, so that one that is offered is taken.
const keptMs = 23 * 3_600_000

/**
 * Pictures or videos of a form behind a link: sent as they are chosen, pictures made smaller before. They
 * stay until the form is sent, as a phone may end the page while its camera is open.
 */
export function useResidentFiles(token: string, form: string, kind: 'image' | 'video') {
  const storeKey = `work-orders.resident-files/${token}/${form}/${kind}`
  const [kept] = useStored(storeKey, noItems)
  const items = kept.filter(item => Date.now() - item.savedAt < keptMs)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const sendOne = async (file: File): Promise<void> => {
    const small = kind === 'image' ? await shrinkPhoto(file) : file
    const item = await upload(uploadResidentFile, { token }, small, { quiet: true })
    saveStored(storeKey, [...readStored(storeKey, noItems), { ...item, savedAt: Date.now() }])
  }
  const add = async (files: readonly File[]): Promise<void> => {
    setFault(undefined)
    if (kind === 'video' && files.some(file => file.size > maxVideoBytes)) {
      setFault(`视频不能超过 ${maxVideoMegabytes} MB，请缩短后再拍`)
      return
    }
    setBusy(true)
    try {
      for (const file of files) {
        await sendOne(file)
      }
    } catch (error) {
      setFault(
        error instanceof DOMException ? '无法读取该图片，请换一张' : `上传失败：${describeProblem(error)}`,
      )
    } finally {
      setBusy(false)
    }
  }
  return {
    items,
    keys: items.map(item => item.key),
    isBusy,
    fault,
    add: (files: readonly File[]): void => void add(files),
    remove: (key: string): void =>
      saveStored(
        storeKey,
        items.filter(item => item.key !== key),
      ),
    clear: (): void => saveStored(storeKey, noItems),
  }
}

export type ResidentFiles = ReturnType<typeof useResidentFiles>
