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
    ? `图片不能超过 ${formatFileSize(maxImageBytes)}，「${name}」为 ${formatFileSize(size)}，请压缩后上传`
    : undefined

/** FILE-1: why so many bytes find no room; nothing when they do. */
export const quotaFault = (bytes: number, freeBytes: number): string | undefined =>
  bytes > freeBytes
    ? `空间不足：还需 ${formatFileSize(bytes)}，剩余 ${formatFileSize(Math.max(0, freeBytes))}，请清空回收站或删除不用的文件`
    : undefined

/** Why a file need not be sent at all; nothing when it may be (FILE-1, FILE-2, FILE-8). */
export const uploadFault = (file: OfferedFile, freeBytes: number): string | undefined =>
  nameFault(file.name) ??
  (file.size === 0 ? '文件是空的，请重新选择' : undefined) ??
  imageFault(file) ??
  quotaFault(file.size, freeBytes)
