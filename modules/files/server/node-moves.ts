import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { nameKey as keyOfName, uniqueNames } from '../domain/file-name.ts'
import { placementFault, subtreesOf } from '../domain/folder-tree.ts'
import {
  assertQuota,
  assertWritableFolder,
  changeUsage,
  findFolders,
  lockProject,
  nameColumns,
  type Folder,
} from './folders.ts'
import type { NodeRow } from './node-rows.ts'
import { assertChangeable, withoutNested, type Selection } from './selection.ts'
import { findTakenNames, namesOf } from './taken-names.ts'

export const auditNodes = (
  tx: Tx,
  scope: Scope,
  action: AuditEntry['action'],
  { projectCode, folders, files }: Selection,
  after?: object,
): Promise<void> =>
  audit(tx, scope, [
    ...folders.map(node => auditOf(action, 'fileDir', projectCode, node, after)),
    ...files.map(node => auditOf(action, 'fileInfo', projectCode, node, after)),
  ])

const auditOf = (
  action: AuditEntry['action'],
  entity: string,
  projectCode: string,
  node: NodeRow,
  after: object | undefined,
): AuditEntry => ({
  action,
  entity,
  entityId: node.id,
  projectCode,
  before: { name: node.name, pid: node.pid, dirId: node.dirId },
  ...(after && { after: { name: node.name, ...after } }),
})

interface Placement {
  readonly id: Id
  readonly parent: Id
  readonly name: string
  readonly labels?: readonly string[] | undefined
}

const placementRows = (placements: readonly Placement[]): string =>
  JSON.stringify(
    placements.map(({ id, parent, name, labels }) => {
      const { sortName, nameKey, searchText } = nameColumns(name, labels)
      return { id, parent, name, sort_name: sortName, name_key: nameKey, search_text: searchText }
    }),
  )

const recordset = (placements: readonly Placement[]) => sql`
  jsonb_to_recordset(${placementRows(placements)}::jsonb) as r(
    id bigint, parent bigint, name text, sort_name text, name_key text, search_text text
  )
`

/** Puts folders where they belong, under their names; out of the bin too. */
export async function placeFolders(tx: Tx, scope: Scope, placements: readonly Placement[]): Promise<void> {
  if (!placements.length) return
  await tx.execute(sql`
    update file_dir t
    set pid = r.parent, name = r.name, sort_name = r.sort_name, name_key = r.name_key,
      search_text = r.search_text, delete_tag = 0, bin_key = null, bin_root = false, delete_time = null,
      ${touch(scope, 't')}
    from ${recordset(placements)}
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
}

export async function placeFiles(tx: Tx, scope: Scope, placements: readonly Placement[]): Promise<void> {
  if (!placements.length) return
  await tx.execute(sql`
    update file_info t
    set dir_id = r.parent, name = r.name, sort_name = r.sort_name, name_key = r.name_key,
      search_text = r.search_text, delete_tag = 0, bin_key = null, bin_root = false, delete_time = null,
      ${touch(scope, 't')}
    from ${recordset(placements)}
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
}

interface Placements {
  readonly folders: readonly Placement[]
  readonly files: readonly Placement[]
}

/** Folders, then files, under names that are free in their new folder (FILE-2). */
export async function placementsIn(
  tx: Tx,
  ownerId: Id,
  { projectCode, folders, files }: Selection,
  parent: Id,
): Promise<Placements> {
  const taken = await findTakenNames(tx, ownerId, projectCode, parent, namesOf({ folders, files }))
  const place = (node: NodeRow, name: string): Placement => ({
    id: node.id,
    parent,
    name,
    labels: node.fileLabel,
  })
  const folderNames = uniqueNames(
    folders.map(node => node.name),
    taken,
    { isFolder: true },
  )
  const fileNames = uniqueNames(
    files.map(node => node.name),
    new Set([...taken, ...folderNames.map(name => keyOfName(name))]),
  )
  return {
    folders: folders.map((node, i) => place(node, folderNames[i] ?? node.name)),
    files: files.map((node, i) => place(node, fileNames[i] ?? node.name)),
  }
}

/** FILE-3. What is in the target already stays as it is. */
export async function moveSelection(tx: Tx, scope: Scope, selected: Selection, targetId: Id): Promise<void> {
  const { ownerId } = scope
  const { projectCode } = selected
  assertChangeable(selected)
  await lockProject(tx, ownerId, projectCode)
  const all = await findFolders(tx, ownerId, projectCode)
  assertWritableFolder(scope, all, targetId)
  assertWritableParents(scope, all, selected)
  const moved = withoutNested(selected, all)
  const folders = moved.folders.filter(folder => folder.pid !== targetId)
  const files = moved.files.filter(file => file.dirId !== targetId)
  const fault = placementFault(
    all,
    folders.map(folder => folder.id),
    targetId,
  )
  if (fault) refuse(fault)
  const placements = await placementsIn(tx, ownerId, { projectCode, folders, files }, targetId)
  await placeFolders(tx, scope, placements.folders)
  await placeFiles(tx, scope, placements.files)
  await auditNodes(tx, scope, 'update', { projectCode, folders, files }, { pid: targetId })
}

/** Every change in a special folder needs the permission to manage it. */
export function assertWritableParents(scope: Scope, all: readonly Folder[], selected: Selection): void {
  const parents = [
    ...selected.folders.map(folder => folder.pid ?? 0),
    ...selected.files.map(file => file.dirId ?? 0),
  ]
  for (const parent of new Set(parents)) {
    assertWritableFolder(scope, all, parent)
  }
}

interface CopiedFolder {
  readonly source: Id
  readonly copy: Id
}

/** Copies folders with all that is in them. Returns which copy stands for which. */
async function copyFolders(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  tree: readonly Folder[],
): Promise<CopiedFolder[]> {
  if (!tree.length) return []
  // Under the negative number of its source's parent a name is free, until all copies have their numbers.
  return tx.rows<CopiedFolder>(sql`
    insert into file_dir (
      owner_id, create_by, update_by, create_time, update_time, project_code, pid, name, sort_name, name_key,
      search_text, file_label
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${scope.time}::timestamptz, ${scope.time}::timestamptz, t.project_code, -t.id, t.name, t.sort_name,
      t.name_key, t.search_text, t.file_label
    from file_dir t
    where t.owner_id = ${scope.ownerId}
      and t.project_code = ${projectCode}
      and t.id = any(${tree.map(folder => folder.id)}::bigint[])
      and ${notDeleted('t')}
    returning -pid as source, id as copy
  `)
}

async function copyFiles(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  placements: readonly (Placement & { readonly source: Id })[],
): Promise<void> {
  if (!placements.length) return
  await tx.execute(sql`
    insert into file_info (
      owner_id, create_by, update_by, create_time, update_time, project_code, dir_id, name, sort_name,
      name_key, search_text, file_key, file_size, file_label, content_type, sha256, uploader_id,
      uploader_name
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${scope.time}::timestamptz, ${scope.time}::timestamptz, t.project_code, r.parent, r.name, r.sort_name,
      r.name_key, r.search_text, t.file_key, t.file_size, t.file_label, t.content_type, t.sha256,
      ${scope.operatorId}::bigint, ${scope.name}
    from ${recordset(placements)}
    join file_info t on t.owner_id = ${scope.ownerId} and t.id = r.id
    where t.project_code = ${projectCode} and ${notDeleted('t')}
    returning id
  `)
}

const findFilesIn = (tx: Tx, ownerId: Id, folders: readonly Folder[]) =>
  tx.rows<{ id: Id; dirId: Id; name: string; fileSize: number; labels: string[] | null }>(sql`
    select id, dir_id, name, file_size, file_label as labels
    from file_info
    where owner_id = ${ownerId} and dir_id = any(${folders.map(folder => folder.id)}::bigint[]) and ${notDeleted()}
  `)

/** Copies share their bytes with what they were copied from; each counts in the quota. */
export async function copySelection(tx: Tx, scope: Scope, selected: Selection, targetId: Id): Promise<void> {
  const { ownerId } = scope
  const { projectCode } = selected
  assertChangeable(selected)
  const usedBytes = await lockProject(tx, ownerId, projectCode)
  const all = await findFolders(tx, ownerId, projectCode)
  assertWritableFolder(scope, all, targetId)
  const { folders, files } = withoutNested(selected, all)
  const fault = placementFault(
    all,
    folders.map(folder => folder.id),
    targetId,
    '复制',
  )
  if (fault) refuse(fault)
  const tree = subtreesOf(
    all,
    folders.map(folder => folder.id),
  )
  const inside = await findFilesIn(tx, ownerId, tree)
  const bytes = [...files, ...inside].reduce((sum, file) => sum + (file.fileSize ?? 0), 0)
  await assertQuota(tx, ownerId, projectCode, usedBytes, bytes)
  const copies = new Map(
    (await copyFolders(tx, scope, projectCode, tree)).map(({ source, copy }) => [source, copy]),
  )
  const copyOf = (id: Id): Id => copies.get(id) ?? 0
  const roots = await placementsIn(tx, ownerId, { projectCode, folders, files }, targetId)
  const rootIds = new Set(folders.map(folder => folder.id))
  await placeFolders(tx, scope, [
    ...roots.folders.map(root => ({ ...root, id: copyOf(root.id) })),
    ...tree
      .filter(folder => !rootIds.has(folder.id))
      .map(({ id, pid, name, labels }) => ({ id: copyOf(id), parent: copyOf(pid), name, labels })),
  ])
  await copyFiles(tx, scope, projectCode, [
    ...roots.files.map(file => ({ ...file, source: file.id })),
    ...inside.map(file => ({
      id: file.id,
      source: file.id,
      parent: copyOf(file.dirId),
      name: file.name,
      labels: file.labels ?? [],
    })),
  ])
  await changeUsage(tx, ownerId, projectCode, bytes)
  await auditNodes(tx, scope, 'insert', { projectCode, folders, files }, { copiedTo: targetId })
}
