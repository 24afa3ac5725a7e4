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

/** FILE-1: why so many bytes find no room; nothing when they do. Unfinished uploads keep theirs reserved. */
export function quotaFault(bytes: number, freeBytes: number, reservedBytes = 0): string | undefined {
  if (bytes <= freeBytes) return undefined
  const free = Math.max(0, freeBytes)
  const texts = [formatFileSize(bytes), formatFileSize(free)]
  // A few bytes too much of some gigabytes.
  const [needed, available] = texts[0] === texts[1] ? [`${bytes} 字节`, `${free} 字节`] : texts
  const isReserved = reservedBytes > 0 && bytes <= freeBytes + reservedBytes
  const advice = isReserved
    ? `未完成的上传占用 ${formatFileSize(reservedBytes)}，请完成或取消这些上传`
    : '请清空回收站或删除不用的文件'
  return `空间不足：还需 ${needed}，剩余 ${available}，${advice}`
}

/** Why a file need not be sent at all; nothing when it may be (FILE-1, FILE-2, FILE-8). */
export const uploadFault = (file: OfferedFile, freeBytes: number): string | undefined =>
  nameFault(file.name) ??
  (file.size === 0 ? '文件是空的，请重新选择' : undefined) ??
  imageFault(file) ??
  quotaFault(file.size, freeBytes)
