import type { FileResponse } from '#kit/contract/file-response.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import type { App, StoredFile } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { inlineTypes } from '#kit/server/file-type.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { hasPermission, requireProject, withoutClosedProjects } from '#kit/server/scope.ts'
import type { Id } from '#kit/domain/id.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { projectRequired, tenantFilter } from '#kit/server/table.ts'
import { fileInfo } from '../contract/folder.ts'
import { downloadNodes, measureNodes, previewFile } from '../contract/transfer.ts'
import { isTextFile, previewTextBytes } from '../domain/file-kind.ts'
import { subtreesOf } from '../domain/folder-tree.ts'
import { findContents, zipFiles } from './archive.ts'
import { findFolders } from './folders.ts'
import { findFileRows, type NodeRow } from './node-rows.ts'
import { menu } from '../module.ts'
import { findSelectedNodes, type Selection } from './selection.ts'

/** By its key, too, a file opens only with the right to download, and not from the bin. */
registerFileAccess(fileInfo.name, caller => {
  const right = menu.file.permissions.download
  return hasPermission(caller, right)
    ? tenantFilter(fileInfo, withoutClosedProjects(caller, right.menu))
    : undefined
})

/** One stored file as it is, under the name that it has here. */
export async function sendStoredFile(
  app: Pick<App, 'files'>,
  ownerId: Id,
  file: { readonly name: string; readonly fileKey?: string },
): Promise<FileResponse> {
  const stored = file.fileKey === undefined ? undefined : await app.files.find(ownerId, file.fileKey)
  if (!stored) throw notFound()
  return { name: file.name, type: stored.type, size: stored.size, body: stored.read }
}

/** `合同` for one folder, `合同等` for several things. */
export const archiveName = (names: readonly string[]): string =>
  `${names.length > 1 ? `${names[0]}等${names.length}项` : (names[0] ?? '文件')}.zip`

async function requireFile({ db, scope }: ReadContext, id: Id): Promise<NodeRow> {
  const [file] = await findFileRows(db, scope.ownerId, { where: sql`t.id = ${id} and ${notDeleted('t')}` })
  if (!file) throw notFound()
  requireProject(scope.domain, file.projectCode)
  return file
}

/** The beginning of a text, under a type that runs nowhere. */
function textBeginning({ name, size, read }: StoredFile): FileResponse {
  const length = Math.min(size, previewTextBytes)
  const body = (range = { start: 0, end: length - 1 }) => read(range)
  return { name, type: 'text/plain', size: length, body }
}

/** Each file once, whether it was selected itself, with its folder, or both. */
async function measureSelection(
  { db, scope }: ReadContext,
  { projectCode, folders, files }: Selection,
): Promise<{ fileCount: number; fileSize: number }> {
  const selected = folders.map(folder => folder.id)
  const folderIds = selected.length
    ? subtreesOf(await findFolders(db, scope.ownerId, projectCode), selected).map(folder => folder.id)
    : []
  const sum = await db.one<{ fileCount: number; fileSize: number }>(sql`
    select count(*)::int as file_count, coalesce(sum(file_size), 0)::bigint as file_size
    from file_info
    where owner_id = ${scope.ownerId}
      and project_code = ${projectCode}
      and ${notDeleted()}
      and (id = any(${files.map(file => file.id)}::bigint[]) or dir_id = any(${folderIds}::bigint[]))
  `)
  return defined(sum)
}

export const downloadHandlers = [
  reads(measureNodes, async (selection, c) =>
    measureSelection(c, await findSelectedNodes(c.db, c.scope, selection)),
  ),
  reads(previewFile, async ({ id }, c) => {
    const file = await requireFile(c, id)
    const stored = file.fileKey && (await c.app.files.find(c.scope.ownerId, file.fileKey))
    if (!stored) throw notFound()
    const { name } = file
    if (inlineTypes.has(stored.type))
      return { name, type: stored.type, size: stored.size, body: stored.read, inline: true }
    if (isTextFile(name, stored.type)) return textBeginning({ ...stored, name })
    return refuse('此类型不能预览，请下载后查看')
  }),
  reads(downloadNodes, async ({ id, projectCode, ...ids }, c) => {
    const { db, scope, app } = c
    if (id !== undefined) return sendStoredFile(app, scope.ownerId, await requireFile(c, id))
    const project = projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    const { folders, files } = await findSelectedNodes(db, scope, { projectCode: project, ...ids })
    const [only] = files
    if (only && files.length === 1 && !folders.length) return sendStoredFile(app, scope.ownerId, only)
    const found = await findContents(
      db,
      scope.ownerId,
      project,
      files.map(file => file.id),
      folders.map(folder => folder.id),
    )
    const names = [...folders, ...files].map(node => node.name)
    return zipFiles(app, scope.ownerId, archiveName([defined(names[0]), ...names.slice(1)]), found)
  }),
]
