import type { Id } from '#kit/domain/id.ts'
import { maxDepth } from '../contract/limits.ts'

export interface FolderNode {
  readonly id: Id
  readonly pid: Id
}

/** Parents by folder; the root, 0, has none. */
const parentsOf = (folders: readonly FolderNode[]): ReadonlyMap<Id, Id> =>
  new Map(folders.map(folder => [folder.id, folder.pid]))

/** A folder and those above it, the nearest first, for any of them; nothing for the root. */
export function pathsIn(folders: readonly FolderNode[]): (id: Id) => Id[] {
  const parents = parentsOf(folders)
  return id => {
    const path: Id[] = []
    for (let step = id; step !== 0 && !path.includes(step); step = parents.get(step) ?? 0) {
      path.push(step)
    }
    return path
  }
}

/** The folders above one, the nearest first; the root is not among them. */
export const ancestorsOf = (folders: readonly FolderNode[], id: Id): Id[] => pathsIn(folders)(id).slice(1)

/** Folders with all that are in them, each before what it holds. */
export function subtreesOf<F extends FolderNode>(folders: readonly F[], roots: readonly Id[]): F[] {
  const children = Map.groupBy(folders, folder => folder.pid)
  const chosen = new Set(roots)
  const subtreeOf = (folder: F): F[] => [folder, ...(children.get(folder.id) ?? []).flatMap(subtreeOf)]
  return folders.filter(folder => chosen.has(folder.id)).flatMap(subtreeOf)
}

/** The levels of folders that are in each folder, itself included. */
function heightsOf(folders: readonly FolderNode[]): (id: Id) => number {
  const children = Map.groupBy(folders, folder => folder.pid)
  const heightOf = (id: Id): number =>
    1 + Math.max(0, ...(children.get(id) ?? []).map(child => heightOf(child.id)))
  return heightOf
}

/**
 * Why folders may not be in `target` (0: the root); nothing when they may: not in themselves or what they
 * hold (FILE-3), not deeper than twenty levels (FILE-2). `folders` are all of the project.
 */
export function placementFault(
  folders: readonly FolderNode[],
  moved: readonly Id[],
  target: Id,
  action: '移动' | '复制' = '移动',
): string | undefined {
  const path = pathsIn(folders)(target)
  if (moved.some(id => path.includes(id))) return `不能${action}到自身或其下级文件夹，请选择其他文件夹`
  const heightOf = heightsOf(folders)
  return moved.some(id => path.length + heightOf(id) > maxDepth)
    ? `文件夹最多 ${maxDepth} 层，请选择上层的文件夹`
    : undefined
}

/** Why no new folder may be in `target`; nothing when one may (FILE-2). */
export const newFolderFault = (folders: readonly FolderNode[], target: Id): string | undefined =>
  pathsIn(folders)(target).length + 1 > maxDepth ? `文件夹最多 ${maxDepth} 层，请选择上层的文件夹` : undefined
