import { isKernelName, isPackageName } from '../contract/push-names.ts'

/** The part of a file or folder that the rules of the file manager need (0§2, 0§5). */
export interface SelectedNode {
  readonly type: 'folder' | 'file'
  readonly name: string
  readonly directoryType: DirectoryType
}

export type DirectoryType = 'ordinary' | 'push' | 'kernel'

/** Ways to send a file to the gateways and devices on site. */
export type PushAction = 'push' | 'pushKernel' | 'pushPackage'

export type FileAction = 'move' | 'copy' | 'share' | 'download' | 'rename' | 'delete' | PushAction

const isSpecial = (node: SelectedNode): boolean => node.type === 'folder' && node.directoryType !== 'ordinary'

/** FILE-3: a special folder stays where it is, under its name. */
export const canChange = (node: SelectedNode): boolean => !isSpecial(node)

/**
 * The actions that a selection offers, in the folder of type `inside` (0§2). Those that push look at the one
 * selected file; with several selected they stay visible and explain why they are refused (`pushRefusal`).
 */
export function actionsFor(
  selection: readonly SelectedNode[],
  inside: DirectoryType,
): ReadonlySet<FileAction> {
  const actions = new Set<FileAction>()
  if (!selection.length) return actions
  actions.add('share').add('download')
  if (selection.every(canChange)) {
    actions.add('move').add('copy').add('rename').add('delete')
  }
  const files = selection.filter(node => node.type === 'file')
  if (inside === 'push' || (files.length > 0 && inside !== 'kernel')) {
    actions.add('push')
  }
  if (inside === 'kernel' && files.some(file => isKernelName(file.name))) {
    actions.add('pushKernel')
  }
  if (files.some(file => isPackageName(file.name))) {
    actions.add('pushPackage')
  }
  return actions
}

/** 0§5: exactly one file is pushed, never a folder; undefined where that is so. */
export function pushRefusal(selection: readonly SelectedNode[], action: PushAction): string | undefined {
  if (selection.length === 1 && selection[0]?.type === 'file') return undefined
  return action === 'pushKernel'
    ? '内核升级不能选择文件夹或多个文件，请只选择一个文件'
    : '推送不能选择文件夹或多个文件，请只选择一个文件'
}
