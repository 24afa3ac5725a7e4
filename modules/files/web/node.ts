import type { FileNode } from '../contract/node.ts'
import type { SelectedNode } from '../domain/file-actions.ts'

export type { FileNode } from '../contract/node.ts'

/** Folders and files have numbers of their own. */
export const nodeKey = ({ type, id }: Pick<FileNode, 'type' | 'id'>): string => `${type}-${id}`

/** The input of calls on several files and folders. */
export const selectionInput = (nodes: readonly FileNode[]) => ({
  fileIds: nodes.filter(node => node.type === 'file').map(node => String(node.id)),
  dirIds: nodes.filter(node => node.type === 'folder').map(node => String(node.id)),
})

/** The input with the versions that the screen shows (G-8). */
export const versionedInput = (nodes: readonly FileNode[]) => ({
  ...selectionInput(nodes),
  fileVersions: nodes.filter(node => node.type === 'file').map(node => String(node.version)),
  dirVersions: nodes.filter(node => node.type === 'folder').map(node => String(node.version)),
})

export const toSelected = ({ type, name, directoryType }: FileNode): SelectedNode => ({
  type,
  name,
  directoryType,
})

/** `「合同.pdf」` for one, `3 项` for several. */
export const nameNodes = (nodes: readonly FileNode[]): string =>
  nodes.length === 1 ? `「${nodes[0]?.name ?? ''}」` : `${nodes.length} 项`
