import type { Id } from '#kit/domain/id.ts'
import { maxDepth } from '../contract/limits.ts'

export interface FolderNode {
  readonly id: Id
  readonly pid: Id
}

/** Parents by folder; the root, 0, has none. */
const parentsOf = (folders: readonly FolderNode[]): ReadonlyMap<Id, Id> =>
  new Map(folders.map(folder => [folder.id, folder.pid]))

/** The folders above one, the nearest first; the root is not among them. */
export function ancestorsOf(folders: readonly FolderNode[], id: Id): Id[] {
  const parents = parentsOf(folders)
  const found: Id[] = []
  let parent = parents.get(id) ?? 0
  while (parent !== 0 && !found.includes(parent)) {
    found.push(parent)
    parent = parents.get(parent) ?? 0
  }
  return found
}

/** The levels of folders that stand in each folder, itself included. */
function heightsOf(folders: readonly FolderNode[]): (id: Id) => number {
  const children = Map.groupBy(folders, folder => folder.pid)
  const heightOf = (id: Id): number =>
    1 + Math.max(0, ...(children.get(id) ?? []).map(child => heightOf(child.id)))
  return heightOf
}

/**
 * Why folders may not stand in `target` (0: the root); nothing when they may: not in themselves or what they
 * hold (FILE-3), not deeper than twenty levels (FILE-2). `folders` are all of the project.
 */
export function placementFault(
  folders: readonly FolderNode[],
  moved: readonly Id[],
  target: Id,
): string | undefined {
  const path = target === 0 ? [] : [target, ...ancestorsOf(folders, target)]
  if (moved.some(id => path.includes(id))) return '不能移动到自身或其下级文件夹，请选择其他文件夹'
  const heightOf = heightsOf(folders)
  return moved.some(id => path.length + heightOf(id) > maxDepth)
    ? `文件夹最多 ${maxDepth} 层，请选择上层的文件夹`
    : undefined
}

/** Why no new folder may stand in `target`; nothing when one may (FILE-2). */
export const newFolderFault = (folders: readonly FolderNode[], target: Id): string | undefined =>
  target !== 0 && ancestorsOf(folders, target).length + 2 > maxDepth
    ? `文件夹最多 ${maxDepth} 层，请选择上层的文件夹`
    : undefined
