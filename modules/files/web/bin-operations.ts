import { Refused } from '#kit/contract/wire.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { purgeNodes, restoreNodes } from '../contract/node.ts'
import { nameNodes, selectionInput, type FileNode } from './node.ts'

/** To where it was, or to the root where that folder is gone (FILE-4). */
export async function restoreSelection(projectCode: string, nodes: readonly FileNode[]): Promise<void> {
  try {
    await sendAndToast(
      restoreNodes,
      { projectCode, ...selectionInput(nodes) },
      `还原成功：${nameNodes(nodes)}`,
      { quiet: true },
    )
  } catch (error) {
    toast.error(error instanceof Refused && error.message ? `还原失败：${error.message}` : '还原失败，请重试')
  }
}

const irreversible = '删除后文件无法恢复'

export async function purgeSelection(projectCode: string, nodes: readonly FileNode[]): Promise<void> {
  if (!nodes.length) return toast.warning('请选择要删除的文件或文件夹')
  const isDone = await confirmDanger({
    actionLabel: '彻底删除',
    unit: '项',
    count: nodes.length,
    confirmText: String(nodes.length),
    title: `彻底删除${nameNodes(nodes)}`,
    reason: false,
    consequences: [irreversible, '文件夹连同其中的内容一并删除'],
    run: () => sendAndInvalidate(purgeNodes, { projectCode, ...selectionInput(nodes) }, { quiet: true }),
  })
  if (isDone) {
    toast.success(`已彻底删除${nameNodes(nodes)}`)
  } else {
    toast.info('已取消文件删除')
  }
}

export async function emptyBin(projectCode: string, count: number): Promise<void> {
  const isDone = await confirmDanger({
    actionLabel: '清空回收站',
    unit: '项',
    count,
    title: `清空回收站（${count} 项）`,
    confirmText: String(count),
    reason: false,
    consequences: [irreversible],
    run: () => sendAndInvalidate(purgeNodes, { projectCode, all: true }, { quiet: true }),
  })
  if (isDone) {
    toast.success('已清空回收站')
  } else {
    toast.info('已取消文件删除')
  }
}
