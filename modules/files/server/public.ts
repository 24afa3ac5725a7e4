import type { Id } from '#kit/domain/id.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { hashFile } from '#kit/server/file-hash.ts'
import { requirePermission, requireProject, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { menu } from '../module.ts'
import { effectiveType, findFolders, type Folder } from './folders.ts'
import { findFileRows } from './node-rows.ts'

export { nameFault } from '../domain/file-name.ts'
export { fileOfLink } from './file-link.ts'

/** A file of the company as another module sends it on: `app.files.signedUrl` opens it for an hour or two. */
export interface FileToSend {
  readonly id: Id
  readonly projectCode: string
  readonly name: string
  readonly fileKey: string
  readonly size: number
  readonly sha256: string
  readonly directoryType: Folder['directoryType']
}

/** One that was stored before hashes were is read once. */
async function hashOf(app: Pick<App, 'files'>, ownerId: Id, fileKey: string): Promise<string> {
  const stored = await app.files.find(ownerId, fileKey)
  if (!stored) throw notFound()
  return stored.withPath(hashFile)
}

/**
 * The file that somebody sends to a site, by its number or by its key in the storage. The sender must be
 * allowed to download it.
 */
export async function requireFileToSend(
  db: Db,
  app: Pick<App, 'files'>,
  scope: Scope,
  file: { readonly id: Id } | { readonly fileKey: string },
): Promise<FileToSend> {
  requirePermission(scope, menu.file.permissions.download)
  const isMeant = 'id' in file ? sql`t.id = ${file.id}` : sql`t.file_key = ${file.fileKey}`
  const [row] = await findFileRows(db, scope.ownerId, {
    where: sql`${isMeant} and ${notDeleted('t')}`,
    order: sql`t.id`,
    limit: 1,
  })
  if (row?.fileKey === undefined) throw notFound()
  const projectCode = requireProject(scope.domain, row.projectCode)
  const folders = await findFolders(db, scope.ownerId, projectCode)
  return {
    id: row.id,
    projectCode,
    name: row.name,
    fileKey: row.fileKey,
    size: row.fileSize ?? 0,
    sha256: row.sha256 ?? (await hashOf(app, scope.ownerId, row.fileKey)),
    directoryType: effectiveType(folders, row.dirId ?? 0),
  }
}
