import type { Id } from '#kit/domain/id.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { binDays } from '../contract/limits.ts'
import { deleteNodes, modifyFolder, restoreNodes } from '../contract/node.ts'
import { nameNodes, nodeKey, selectionInput, type FileNode } from './node.ts'

/** Into the bin, after asking; can be undone at once (FILE-4). */
export async function deleteSelection(projectCode: string, nodes: readonly FileNode[]): Promise<boolean> {
  const hasFolder = nodes.some(node => node.type === 'folder')
  const isSure = await confirm({
    title: `删除${nameNodes(nodes)}`,
    text: `${hasFolder ? '文件夹连同其中的内容移入回收站' : '移入回收站'}，${binDays} 天内可还原，已分享的立即停止分享`,
    okLabel: '删除',
    danger: true,
  })
  if (!isSure) {
    toast.info('已取消删除')
    return false
  }
  const input = { projectCode, ...selectionInput(nodes) }
  await sendAndInvalidate(deleteNodes, input)
  toast.undo(`已删除${nameNodes(nodes)}，${binDays} 天内可从回收站还原`, async () => {
    await sendAndInvalidate(restoreNodes, input)
  })
  return true
}

/** Under its first name, 新建文件夹. Returns the key by which it is renamed at once. */
export async function addFolder(projectCode: string, pid: Id): Promise<string> {
  const folder = await sendAndInvalidate(modifyFolder, { projectCode, pid })
  toast.success('新建文件夹成功')
  return nodeKey(folder)
}
