import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, invalidField, notFound, refuse, resultCode, staleVersion } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { requirePermission, requireProject, type Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { directoryType, type nodeType } from '../contract/choices.ts'
import {
  copyNodes,
  deleteNodes,
  modifyFile,
  modifyFolder,
  moveNodes,
  purgeNodes,
  restoreNodes,
  saveLabels,
} from '../contract/node.ts'
import { defaultFolderName, nameFault, storedName, uniqueName } from '../domain/file-name.ts'
import { newFolderFault } from '../domain/folder-tree.ts'
import { menu } from '../module.ts'
import { assertWritableFolder, findFolders, lockProject, nameColumns } from './folders.ts'
import { binSelection, purgeBin, purgeSelection } from './node-bin.ts'
import { copySelection, moveSelection } from './node-moves.ts'
import { setLabels } from './node-labels.ts'
import { restoreSelection } from './node-restore.ts'
import { projectOf } from './project.ts'
import { findFileRows, findFolderRows, projectIdOf, toNode, type Node, type NodeRow } from './node-rows.ts'
import {
  assertChangeable,
  assertVersions,
  findBinSelection,
  findSelectedNodes,
  type Selection,
} from './selection.ts'
import { findTakenNames } from './taken-names.ts'

const { permissions } = menu.file
type NodeType = keyof typeof nodeType.rows

const findRow = async (db: Db, scope: Scope, type: NodeType, id: Id): Promise<NodeRow> => {
  const find = type === 'folder' ? findFolderRows : findFileRows
  const [row] = await find(db, scope.ownerId, { where: sql`t.id = ${id} and t.delete_tag >= 0` })
  if (!row) throw notFound()
  requireProject(scope.domain, row.projectCode)
  return row
}

/** The record after the change; of a purged one, its last state. */
async function readChanged(c: WriteContext, before: NodeRow): Promise<Node> {
  const { tx, scope } = c
  const find = before.type === 'folder' ? findFolderRows : findFileRows
  const [row] = await find(tx, scope.ownerId, { where: sql`t.id = ${before.id}` })
  return toNode(row ?? before, c, await projectIdOf(tx, scope.ownerId, before.projectCode))
}

const selectionOf = (row: NodeRow): Selection => ({
  projectCode: row.projectCode,
  folders: row.type === 'folder' ? [row] : [],
  files: row.type === 'file' ? [row] : [],
})

const checkedName = (name: string): string => {
  const fault = nameFault(name)
  if (fault) throw invalidField('Name', fault)
  return storedName(name)
}

const nameTaken = (name: string): Refused => invalidField('Name', `此处已有「${name}」，请更换名称`)

interface FolderDraft {
  readonly projectCode: string
  readonly pid: Id
  /** 新建文件夹 where nobody chose one. */
  readonly name: string | undefined
  readonly directoryType: keyof typeof directoryType.rows
}

async function addFolder({ tx, scope }: WriteContext, draft: FolderDraft): Promise<NodeRow> {
  const { ownerId } = scope
  const { projectCode, pid } = draft
  if (draft.directoryType !== 'ordinary') {
    requirePermission(scope, permissions.special)
    if (pid !== 0) throw invalidField('Pid', '推送目录与内核目录只能建在最上层')
  }
  await lockProject(tx, ownerId, projectCode)
  const all = await findFolders(tx, ownerId, projectCode)
  assertWritableFolder(scope, all, pid)
  const fault = newFolderFault(all, pid)
  if (fault) refuse(fault)
  const wanted = checkedName(draft.name ?? defaultFolderName)
  const taken = await findTakenNames(tx, ownerId, projectCode, pid, { folders: [wanted] })
  const { name, sortName, nameKey, searchText } = nameColumns(uniqueName(wanted, taken, { isFolder: true }))
  // FILE-3: its name cannot change later, so no number is appended to it unasked.
  if (draft.directoryType !== 'ordinary' && draft.name !== undefined && name !== wanted)
    throw nameTaken(wanted)
  const made = await tx.one<{ id: Id }>(sql`
    insert into file_dir (
      owner_id, create_by, update_by, create_time, update_time, project_code, pid, name, sort_name, name_key,
      search_text, directory_type
    )
    values (
      ${ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${scope.time}, ${scope.time}, ${projectCode},
      ${pid}, ${name}, ${sortName}, ${nameKey}, ${searchText},
      ${codeOf(directoryType, draft.directoryType)}
    )
    returning id
  `)
  const { id } = defined(made)
  await audit(tx, scope, [
    { action: 'insert', entity: 'fileDir', entityId: id, projectCode, after: { name, pid } },
  ])
  return findRow(tx, scope, 'folder', id)
}

/** Refuses a name that another folder or file in the same place has: this name was chosen by a person. */
async function rename({ tx, scope }: WriteContext, row: NodeRow, newName: string): Promise<void> {
  const name = checkedName(newName)
  if (name === row.name) return
  requirePermission(scope, permissions.edit)
  assertChangeable(selectionOf(row))
  await lockProject(tx, scope.ownerId, row.projectCode)
  const parent = row.pid ?? row.dirId ?? 0
  assertWritableFolder(scope, await findFolders(tx, scope.ownerId, row.projectCode), parent)
  const columns = nameColumns(name, row.fileLabel)
  const newNames = row.type === 'folder' ? { folders: [name] } : { files: [name] }
  const taken = await findTakenNames(tx, scope.ownerId, row.projectCode, parent, newNames)
  if (columns.nameKey !== nameColumns(row.name).nameKey && taken.has(columns.nameKey)) throw nameTaken(name)
  const set = sql`
    name = ${columns.name}, sort_name = ${columns.sortName}, name_key = ${columns.nameKey},
    search_text = ${columns.searchText}, ${touch(scope)}
  `
  const where = sql`where owner_id = ${scope.ownerId} and id = ${row.id}`
  await tx.execute(
    row.type === 'folder'
      ? sql`update file_dir set ${set} ${where}`
      : sql`update file_info set ${set} ${where}`,
  )
  await audit(tx, scope, [
    {
      action: 'update',
      entity: row.type === 'folder' ? 'fileDir' : 'fileInfo',
      entityId: row.id,
      projectCode: row.projectCode,
      before: { name: row.name },
      after: { name },
    },
  ])
}

/** Locks the project's files and reads the record; refuses another version than the caller saw (G-8). */
async function lockNode(
  { tx, scope }: WriteContext,
  { type, id, projectCode }: NodeRow,
  version: number | undefined,
): Promise<NodeRow> {
  await lockProject(tx, scope.ownerId, projectCode)
  const row = await findRow(tx, scope, type, id)
  if (version && version !== row.version) throw staleVersion()
  return row
}

interface NodeChange {
  readonly parent: Id | undefined
  readonly name: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly deleteTag: Node['deleteTag'] | undefined
  readonly version: number | undefined
}

/** Applies DeleteTag: moves a record to the recycle bin, restores it, or purges it. */
async function changeDeleteTag(c: WriteContext, row: NodeRow, tag: Node['deleteTag']): Promise<void> {
  const { tx, scope, app } = c
  const isBinned = row.deleteTag === 'binned'
  if (tag === 'binned') {
    requirePermission(scope, permissions.del)
    await binSelection(tx, scope, selectionOf(row))
    return
  }
  if (!isBinned) refuse('文件不在回收站，不能还原或彻底删除')
  requirePermission(scope, tag === 'live' ? permissions.edit : permissions.purge)
  const ids = row.type === 'folder' ? { dirIds: [String(row.id)] } : { fileIds: [String(row.id)] }
  const selected = await findBinSelection(tx, scope, { projectCode: row.projectCode, ...ids })
  await (tag === 'live' ? restoreSelection(tx, scope, selected) : purgeSelection(tx, app, scope, selected))
}

/** Applies one or several changes to a record, in this order: restore, move, rename, label. */
async function changeNode(c: WriteContext, found: NodeRow, change: NodeChange): Promise<Node> {
  const row = await lockNode(c, found, change.version)
  if (change.deleteTag !== undefined && change.deleteTag !== row.deleteTag) {
    await changeDeleteTag(c, row, change.deleteTag)
    return readChanged(c, row)
  }
  if (row.deleteTag === 'binned') refuse('文件已在回收站，请先还原')
  const parent = row.pid ?? row.dirId ?? 0
  if (change.parent !== undefined && change.parent !== parent) {
    requirePermission(c.scope, permissions.edit)
    await moveSelection(c.tx, c.scope, selectionOf(row), change.parent)
  }
  const placed = await findRow(c.tx, c.scope, row.type, row.id)
  if (change.name !== undefined && storedName(change.name) !== row.name) {
    await rename(c, placed, change.name)
  }
  if (change.labels) {
    await setLabels(c, placed, change.labels)
  }
  return readChanged(c, row)
}

export const nodeChangeHandlers = [
  writes(modifyFolder, async (input, c) => {
    if (!input.id) {
      requirePermission(c.scope, permissions.add)
      const row = await addFolder(c, {
        projectCode: await projectOf(c.tx, c.scope, input),
        pid: input.pid ?? 0,
        name: input.name,
        directoryType: input.directoryType ?? 'ordinary',
      })
      if (input.fileLabel) {
        await setLabels(c, row, input.fileLabel)
      }
      return readChanged(c, row)
    }
    const row = await findRow(c.tx, c.scope, 'folder', input.id)
    if (input.directoryType !== undefined && input.directoryType !== row.directoryType)
      throw new Refused(resultCode.refused, '目录类型在新建时确定，不能修改')
    return changeNode(c, row, {
      parent: input.pid,
      name: input.name,
      labels: input.fileLabel,
      deleteTag: input.deleteTag,
      version: input.version,
    })
  }),
  writes(modifyFile, async (input, c) =>
    changeNode(c, await findRow(c.tx, c.scope, 'file', input.id), {
      parent: input.dirId,
      name: input.name,
      labels: input.fileLabel,
      deleteTag: input.deleteTag,
      version: input.version,
    }),
  ),
  writes(saveLabels, async ({ id, type, fileLabel, version }, c) => {
    const row = await lockNode(c, await findRow(c.tx, c.scope, type, id), version)
    await setLabels(c, row, fileLabel ?? [])
    return readChanged(c, row)
  }),
  writes(moveNodes, async ({ targetId, ...selection }, { tx, scope }) => {
    await lockProject(tx, scope.ownerId, requireProject(scope.domain, selection.projectCode))
    const selected = await findSelectedNodes(tx, scope, selection)
    assertVersions(selected, selection)
    await moveSelection(tx, scope, selected, targetId)
  }),
  writes(copyNodes, async ({ targetId, ...selection }, { tx, scope }) =>
    copySelection(tx, scope, await findSelectedNodes(tx, scope, selection), targetId),
  ),
  writes(deleteNodes, async (selection, { tx, scope }) =>
    binSelection(tx, scope, await findSelectedNodes(tx, scope, selection)),
  ),
  writes(restoreNodes, async (selection, { tx, scope }) =>
    restoreSelection(tx, scope, await findBinSelection(tx, scope, selection)),
  ),
  writes(purgeNodes, async ({ all, ...selection }, { tx, scope, app }) => {
    if (!all) return purgeSelection(tx, app, scope, await findBinSelection(tx, scope, selection))
    const count = await purgeBin(tx, app, scope, selection.projectCode)
    await audit(tx, scope, [
      {
        action: 'purge',
        entity: 'fileInfo',
        entityId: 0,
        projectCode: selection.projectCode,
        after: { count },
      },
    ])
  }),
]
