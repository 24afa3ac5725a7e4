import { type Id, parseId } from '#kit/domain/id.ts'
import { invalidField, refuse, staleVersion } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { deleteTag } from '../contract/choices.ts'
import { subtreesOf } from '../domain/folder-tree.ts'
import type { Folder } from './folders.ts'
import { findFileRows, findFolderRows, type NodeRow } from './node-rows.ts'

/** Folders and files of one project that one action is for. */
export interface Selection {
  readonly projectCode: string
  readonly folders: readonly NodeRow[]
  readonly files: readonly NodeRow[]
}

interface SelectionInput {
  readonly projectCode: string
  readonly fileIds?: readonly string[]
  readonly dirIds?: readonly string[]
}

const idsOf = (texts: readonly string[] = []): Id[] => [...new Set(texts.map(parseId))].filter(id => id > 0)

/** The selected nodes, live or in the bin; refuses when one of them is no longer there. */
async function findSelection(
  db: Db,
  scope: Scope,
  input: SelectionInput,
  where: (ids: readonly Id[]) => ReturnType<typeof sql>,
): Promise<Selection> {
  const projectCode = requireProject(scope.domain, input.projectCode)
  const folderIds = idsOf(input.dirIds)
  const fileIds = idsOf(input.fileIds)
  if (!folderIds.length && !fileIds.length) return refuse('请先选择文件或文件夹')
  const order = sql`t.sort_name, t.id`
  const [folders, files] = await Promise.all([
    folderIds.length ? findFolderRows(db, scope.ownerId, { where: where(folderIds), order }) : [],
    fileIds.length ? findFileRows(db, scope.ownerId, { where: where(fileIds), order }) : [],
  ])
  const inProject = [...folders, ...files].every(node => node.projectCode === projectCode)
  if (!inProject || folders.length < folderIds.length || files.length < fileIds.length)
    return refuse('部分文件不存在或已被删除，请刷新后重试')
  return { projectCode, folders, files }
}

export const findSelectedNodes = (db: Db, scope: Scope, input: SelectionInput): Promise<Selection> =>
  findSelection(db, scope, input, ids => sql`t.id = any(${[...ids]}::bigint[]) and ${notDeleted('t')}`)

/**
 * Roots of the bin only: what went in with a folder comes out with it. It may be named beside the folder, as
 * it was when both were deleted.
 */
export async function findBinSelection(db: Db, scope: Scope, input: SelectionInput): Promise<Selection> {
  const binned = code(deleteTag, 'binned')
  const found = await findSelection(
    db,
    scope,
    input,
    ids => sql`t.id = any(${[...ids]}::bigint[]) and t.delete_tag = ${binned}`,
  )
  const roots = {
    ...found,
    folders: found.folders.filter(folder => folder.isBinRoot),
    files: found.files.filter(file => file.isBinRoot),
  }
  const keys = new Set(roots.folders.map(folder => folder.binKey))
  const isAlone = [...found.folders, ...found.files].some(node => !node.isBinRoot && !keys.has(node.binKey))
  return isAlone ? refuse('部分文件不存在或已被删除，请刷新后重试') : roots
}

/** The selection without what is in one of its own folders: that goes where its folder goes. */
export function withoutNested(selection: Selection, folders: readonly Folder[]): Selection {
  const selected = selection.folders.map(folder => folder.id)
  const inside = new Set<Id>(subtreesOf(folders, selected).map(folder => folder.id))
  return {
    ...selection,
    folders: selection.folders.filter(folder => !inside.has(folder.pid ?? 0)),
    files: selection.files.filter(file => !inside.has(file.dirId ?? 0)),
  }
}

interface SelectedVersions extends SelectionInput {
  readonly fileVersions?: readonly string[]
  readonly dirVersions?: readonly string[]
}

/** Refuses what somebody has changed since it was shown (G-8), where the caller says what was. */
export function assertVersions({ folders, files }: Selection, input: SelectedVersions): void {
  const isStale = (
    rows: readonly NodeRow[],
    ids: readonly string[] = [],
    versions: readonly string[] = [],
  ): boolean => {
    if (!versions.length) return false
    if (versions.length !== ids.length) throw invalidField('Version', '版本与所选文件的数量不一致')
    const shown = new Map(ids.map((id, i) => [parseId(id), Number(versions[i])]))
    return rows.some(row => shown.get(row.id) !== row.version)
  }
  if (isStale(folders, input.dirIds, input.dirVersions) || isStale(files, input.fileIds, input.fileVersions))
    throw staleVersion()
}

/** FILE-3: special folders are not moved, renamed or deleted. */
export function assertChangeable({ folders }: Selection): void {
  const special = folders.find(folder => folder.directoryType !== 'ordinary')
  if (special) refuse(`「${special.name}」是推送或内核目录，不能移动、复制、重命名或删除`)
}
