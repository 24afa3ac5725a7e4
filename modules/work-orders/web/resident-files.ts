import { useState } from 'react'
import type { MediaItem } from '#kit/web/phone/media-field.tsx'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
import { upload } from '#kit/web/upload.ts'
import { maxVideoBytes, uploadResidentFile } from '../contract/resident.ts'
import { describeProblem } from './resident-problem.tsx'

const maxVideoMegabytes = maxVideoBytes / 1024 / 1024

/** Pictures or videos of a form behind a link: sent as they are chosen, pictures made smaller before. */
export function useResidentFiles(token: string, kind: 'image' | 'video') {
  const [items, setItems] = useState<readonly MediaItem[]>([])
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const sendOne = async (file: File): Promise<void> => {
    const small = kind === 'image' ? await shrinkPhoto(file) : file
    const item = await upload(uploadResidentFile, { token }, small, { quiet: true })
    setItems(before => [...before, item])
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
    remove: (key: string): void => setItems(items.filter(item => item.key !== key)),
  }
}

export type ResidentFiles = ReturnType<typeof useResidentFiles>
