import { toast } from '#kit/web/toast.ts'
import { quotaBytes } from '../contract/limits.ts'
import { fileKindOf } from '../domain/file-kind.ts'
import { uploadFault } from '../domain/upload-fault.ts'
import { rootName } from './folder-path.ts'
import { useUsage } from './quota-bar.tsx'
import { addUploads } from './uploads.ts'
import type { Files } from './use-files.ts'

/** Pictures by their type or their name (FILE-8). */
const isImageFile = (file: File): boolean =>
  file.type.startsWith('image/') || fileKindOf(file.name) === 'image'

/** Files offered for the shown folder: what would be refused is reported at once, the rest is sent. */
export function useUploadFiles(projectCode: string, { address, path }: Files) {
  const { data: usage } = useUsage(projectCode)
  return (files: readonly File[], hasFolder: boolean): void => {
    if (hasFolder) {
      toast.warning('不能上传文件夹，请打开后选择其中的文件，或压缩后上传')
    }
    if (!files.length) return
    let freeBytes = usage ? usage.quotaBytes - usage.usedBytes - usage.reservedBytes : quotaBytes
    const offered = files.map(file => {
      const fault = uploadFault({ name: file.name, size: file.size, isImage: isImageFile(file) }, freeBytes)
      freeBytes -= fault === undefined ? file.size : 0
      return { file, fault }
    })
    const refused = offered.filter(({ fault }) => fault !== undefined)
    if (refused.length) {
      toast.error(
        refused.length === 1 ? (refused[0]?.fault ?? '') : `${refused.length} 个文件不能上传，原因见上传任务`,
      )
    }
    addUploads(offered, { projectCode, dirId: address.dirId, folderName: path.at(-1)?.name ?? rootName })
  }
}
