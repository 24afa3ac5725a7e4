import { download } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
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

/** One file by the browser's own download, which streams and resumes; several, or a folder, as one zip. */
export async function downloadSelection(projectCode: string, nodes: readonly FileNode[]): Promise<void> {
  const [only] = nodes
  if (nodes.length === 1 && only?.type === 'file' && only.location) {
    if (!only.fileSize) return toast.error('文件长度为0')
    return followLink(only.location, only.name)
  }
  const options = { project: projectCode, timeout: zipTimeoutMs }
  toast.info('正在打包，请稍候')
  const name = await download(downloadNodes, { projectCode, ...selectionInput(nodes) }, undefined, options)
  toast.success(`已下载「${name}」`)
}
