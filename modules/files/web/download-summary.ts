import { formatFileSize } from '#kit/contract/text.ts'
import type { FileNode } from './node.ts'

interface Measured {
  readonly fileCount: number
  readonly fileSize: number
}

/** `2 个文件夹，共 31 个文件，12.400 MB`: what is in the folders counts, too. */
export function downloadSummary(
  nodes: readonly Pick<FileNode, 'type'>[],
  { fileCount, fileSize }: Measured,
): string {
  const folderCount = nodes.filter(node => node.type === 'folder').length
  const files = `${fileCount} 个文件，${formatFileSize(fileSize)}`
  return folderCount ? `${folderCount} 个文件夹，共 ${files}` : `共 ${files}`
}
