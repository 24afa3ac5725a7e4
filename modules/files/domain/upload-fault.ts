import { maxImageBytes } from '../contract/limits.ts'
import { nameFault } from './file-name.ts'
import { formatFileSize } from '#kit/contract/text.ts'

interface OfferedFile {
  readonly name: string
  readonly size: number
  readonly isImage: boolean
}

/** FILE-8: pictures are pictures for people to look at, not archives of a camera. */
export const imageFault = ({ name, size, isImage }: OfferedFile): string | undefined =>
  isImage && size > maxImageBytes
    ? `图片不能超过 ${maxImageBytes / 1024} KB，「${name}」为 ${(size / 1024).toFixed(3)} KB，请压缩后上传`
    : undefined

/** FILE-1: why so many bytes find no room; nothing when they do. */
export function quotaFault(bytes: number, freeBytes: number): string | undefined {
  if (bytes <= freeBytes) return undefined
  const free = Math.max(0, freeBytes)
  const texts = [formatFileSize(bytes), formatFileSize(free)]
  // A few bytes too much of some gigabytes.
  const [needed, available] = texts[0] === texts[1] ? [`${bytes} 字节`, `${free} 字节`] : texts
  return `空间不足：还需 ${needed}，剩余 ${available}，请清空回收站或删除不用的文件`
}

/** Why a file need not be sent at all; nothing when it may be (FILE-1, FILE-2, FILE-8). */
export const uploadFault = (file: OfferedFile, freeBytes: number): string | undefined =>
  nameFault(file.name) ??
  (file.size === 0 ? '文件是空的，请重新选择' : undefined) ??
  imageFault(file) ??
  quotaFault(file.size, freeBytes)
