import type { FileResponse } from '#kit/contract/file-response.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject } from '#kit/server/scope.ts'
import type { Id } from '#kit/domain/id.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { projectRequired } from '#kit/server/table.ts'
import { downloadNodes } from '../contract/transfer.ts'
import { findFilesAtPaths, zipFiles } from './archive.ts'
import { findFileRows } from './node-rows.ts'
import { findSelectedNodes } from './selection.ts'

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

export const downloadHandlers = [
  reads(downloadNodes, async ({ id, projectCode, ...ids }, { db, scope, app }) => {
    if (id !== undefined) {
      const [file] = await findFileRows(db, scope.ownerId, {
        where: sql`t.id = ${id} and ${notDeleted('t')}`,
      })
      if (!file) throw notFound()
      requireProject(scope.domain, file.projectCode)
      return sendStoredFile(app, scope.ownerId, file)
    }
    const project = projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    const { folders, files } = await findSelectedNodes(db, scope, { projectCode: project, ...ids })
    const [only] = files
    if (only && files.length === 1 && !folders.length) return sendStoredFile(app, scope.ownerId, only)
    const found = await findFilesAtPaths(
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
