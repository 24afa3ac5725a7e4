import type { Id } from '#kit/domain/id.ts'
import type { FolderTreeNode } from '../contract/node.ts'
import type { DirectoryType } from '../domain/file-actions.ts'

export const rootName = '全部文件'

/** The folders down to one, itself last; nothing for the root, or where it is not there. */
export function pathTo(tree: readonly FolderTreeNode[], id: Id): readonly FolderTreeNode[] {
  for (const folder of tree) {
    if (folder.id === id) return [folder]
    const below = pathTo(folder.children ?? [], id)
    if (below.length) return [folder, ...below]
  }
  return []
}

/** The special kind of a folder or of the nearest one above it. */
export const effectiveTypeOf = (path: readonly FolderTreeNode[]): DirectoryType =>
  path.findLast(folder => folder.directoryType !== 'ordinary')?.directoryType ?? 'ordinary'
