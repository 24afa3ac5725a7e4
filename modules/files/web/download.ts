import { checkFile, download, send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { getNode } from '../contract/node.ts'
import { downloadNodes } from '../contract/transfer.ts'
import { selectionInput, type FileNode } from './node.ts'

/** A zip of gigabytes takes its time. */
const zipTimeoutMs = 3_600_000

function followLink(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/**
 * One file by the browser's own download, which streams and resumes, once its bytes can be read. Its address
 * is one of now.
 */
export async function downloadFile({ id, name }: FileNode): Promise<void> {
  const { location, fileSize } = await send(getNode, { id, type: 'file' })
  if (!fileSize) return toast.error('文件长度为0')
  if (location) {
    await checkFile(downloadNodes, { id })
    followLink(location, name)
  }
}

/** Several, or a folder, as one zip. */
export async function downloadZip(
  projectCode: string,
  nodes: readonly FileNode[],
  signal: AbortSignal,
): Promise<void> {
  const options = { project: projectCode, timeout: zipTimeoutMs, signal }
  const name = await download(downloadNodes, { projectCode, ...selectionInput(nodes) }, undefined, options)
  toast.success(`已下载「${name}」`)
}
