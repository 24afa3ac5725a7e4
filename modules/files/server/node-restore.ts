import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, secondsBetween } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { remainingSeconds } from '../domain/remaining-time.ts'
import { pathsIn, placementFault } from '../domain/folder-tree.ts'
import { assertWritableFolder, findFolders, lockProject, type Folder } from './folders.ts'
import { binKeysOf, binned } from './node-bin.ts'
import { auditNodes, placeFiles, placeFolders, placementsIn } from './node-moves.ts'
import type { NodeRow } from './node-rows.ts'
import type { Selection } from './selection.ts'

/** A folder of the bin that comes back, with all that went there with it. */
interface ReturningFolder {
  readonly root: NodeRow
  readonly tree: readonly Folder[]
}

/** The selected folders of the bin with their trees, each before what stood in one of them. */
async function findReturning(
  tx: Tx,
  ownerId: Id,
  { projectCode, folders }: Selection,
): Promise<ReturningFolder[]> {
  const keys = folders.flatMap(folder => folder.binKey ?? [])
  if (!keys.length) return []
  const all = await findFolders(
    tx,
    ownerId,
    projectCode,
    sql`bin_key = any(${keys}::text[]) and delete_tag = ${binned}`,
  )
  const pathTo = pathsIn(all)
  const rootIds = new Set(folders.map(folder => folder.id))
  const trees = Map.groupBy(all, folder => pathTo(folder.id).find(id => rootIds.has(id)))
  return folders
    .toSorted((one, other) => pathTo(one.id).length - pathTo(other.id).length)
    .map(root => ({ root, tree: trees.get(root.id) ?? [] }))
}

interface Targets {
  readonly targetOf: (node: NodeRow) => Id
  /** The folders of the project as they are after it. */
  readonly all: readonly Folder[]
}

/**
 * Where each comes back to: its own folder, also one that comes back with it; else the root, where that is
 * gone (FILE-4) or where a folder with all that it holds would stand too deep (FILE-2).
 */
function findTargets(
  live: readonly Folder[],
  returning: readonly ReturningFolder[],
  files: readonly NodeRow[],
): Targets {
  let all = live
  const targets = new Map<NodeRow, Id>()
  const isPresent = (id: Id): boolean => all.some(folder => folder.id === id)
  for (const { root, tree } of returning) {
    const { id, pid = 0 } = root
    const target = isPresent(pid) && placementFault([...all, ...tree], [id], pid) === undefined ? pid : 0
    all = [...all, ...tree.map(folder => (folder.id === id ? { ...folder, pid: target } : folder))]
    targets.set(root, target)
  }
  for (const file of files) {
    const { dirId = 0 } = file
    targets.set(file, isPresent(dirId) ? dirId : 0)
  }
  return { all, targetOf: node => targets.get(node) ?? 0 }
}

/** What went into the bin with the roots: it is where it was, in them. */
async function freeContents(tx: Tx, scope: Scope, selected: Selection): Promise<void> {
  const contents = sql`
    where owner_id = ${scope.ownerId}
      and bin_key = any(${binKeysOf(selected)}::text[])
      and delete_tag = ${binned}
      and not bin_root
  `
  const freed = sql`delete_tag = 0, bin_key = null, delete_time = null, ${touch(scope)}`
  await tx.execute(sql`update file_dir set ${freed} ${contents}`)
  await tx.execute(sql`update file_info set ${freed} ${contents}`)
}

/** FILE-5: what has expired is gone, though the hourly job has not come to it yet. */
function assertNotExpired(scope: Scope, nodes: readonly NodeRow[]): void {
  const now = fromInstant(Date.parse(scope.time))
  const expired = nodes.find(
    ({ deleteTime }) => deleteTime !== undefined && remainingSeconds(secondsBetween(deleteTime, now)) === 0,
  )
  if (expired) refuse(`「${expired.name}」已过有效期，不能还原`)
}

/** Out of the bin, under free names (FILE-4). */
export async function restoreSelection(tx: Tx, scope: Scope, selected: Selection): Promise<void> {
  const { ownerId } = scope
  const { projectCode, folders, files } = selected
  assertNotExpired(scope, [...folders, ...files])
  await lockProject(tx, ownerId, projectCode)
  const live = await findFolders(tx, ownerId, projectCode)
  const { targetOf, all } = findTargets(live, await findReturning(tx, ownerId, selected), files)
  const foldersByTarget = Map.groupBy(folders, targetOf)
  const filesByTarget = Map.groupBy(files, targetOf)
  const targets = new Set([...foldersByTarget.keys(), ...filesByTarget.keys()])
  for (const target of targets) {
    assertWritableFolder(scope, all, target)
  }
  await freeContents(tx, scope, selected)
  for (const target of targets) {
    const group = {
      projectCode,
      folders: foldersByTarget.get(target) ?? [],
      files: filesByTarget.get(target) ?? [],
    }
    const placements = await placementsIn(tx, ownerId, group, target)
    await placeFolders(tx, scope, placements.folders)
    await placeFiles(tx, scope, placements.files)
  }
  await auditNodes(tx, scope, 'restore', selected)
}
