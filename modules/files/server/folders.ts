import type { Id } from '#kit/domain/id.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reservedUploadBytes } from '#kit/server/resumable-upload.ts'
import { requirePermission, type Caller } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { directoryType } from '../contract/choices.ts'
import { uploadPurpose } from '../contract/transfer.ts'
import { pathsIn } from '../domain/folder-tree.ts'
import { nameKey } from '../domain/file-name.ts'
import { quotaFault } from '../domain/upload-fault.ts'
import { quotaBytes } from '../contract/limits.ts'
import { menu } from '../module.ts'

export interface Folder {
  readonly id: Id
  readonly pid: Id
  readonly name: string
  readonly directoryType: 'ordinary' | 'push' | 'kernel'
  readonly labels: readonly string[]
}

/** Folders of a project in the order of their names; by default those that are not in the bin. */
export async function findFolders(
  db: Db,
  ownerId: Id,
  projectCode: string,
  where = notDeleted(),
): Promise<Folder[]> {
  const rows = await db.rows<Omit<Folder, 'directoryType' | 'labels'> & { code: number; labels?: string[] }>(
    sql`
      select id, pid, name, directory_type as code, file_label as labels
      from file_dir
      where owner_id = ${ownerId} and project_code = ${projectCode} and ${where}
      order by pid, sort_name, id
    `,
  )
  return rows.map(({ code, labels = [], ...folder }) => ({
    ...folder,
    labels,
    directoryType: keyOf(directoryType, code) ?? 'ordinary',
  }))
}

/** The special type of the folder or of the nearest one above it. */
export function effectiveType(folders: readonly Folder[], id: Id): Folder['directoryType'] {
  const types = pathsIn(folders)(id).map(
    step => folders.find(folder => folder.id === step)?.directoryType ?? 'ordinary',
  )
  return types.find(type => type !== 'ordinary') ?? 'ordinary'
}

/** Refuses a missing folder, and a special one without the permission to manage it. */
export function assertWritableFolder(caller: Caller, folders: readonly Folder[], id: Id): void {
  if (id !== 0 && !folders.some(folder => folder.id === id)) refuse('文件夹不存在或已被删除，请刷新')
  if (effectiveType(folders, id) !== 'ordinary') {
    requirePermission(caller, menu.file.permissions.special)
  }
}

/**
 * Locks the project's files: changes of its folders come one after the other, so that names stay unique, no
 * folder comes into itself and the quota holds. Returns the bytes in use.
 */
export async function lockProject(tx: Tx, ownerId: Id, projectCode: string): Promise<number> {
  await tx.execute(sql`
    insert into file_usage (owner_id, project_code)
    values (${ownerId}, ${projectCode})
    on conflict (owner_id, project_code) do nothing
  `)
  const usage = await tx.one<{ bytes: number }>(sql`
    select used_bytes as bytes
    from file_usage
    where owner_id = ${ownerId} and project_code = ${projectCode}
    for update
  `)
  return usage?.bytes ?? 0
}

/** The bytes in use, without a lock: others may change them at once. */
export async function readUsage(db: Pick<Db, 'one'>, ownerId: Id, projectCode: string): Promise<number> {
  const usage = await db.one<{ bytes: number }>(sql`
    select used_bytes as bytes from file_usage where owner_id = ${ownerId} and project_code = ${projectCode}
  `)
  return usage?.bytes ?? 0
}

export const changeUsage = async (tx: Tx, ownerId: Id, projectCode: string, bytes: number): Promise<void> => {
  await tx.execute(sql`
    update file_usage
    set used_bytes = used_bytes + ${bytes}::bigint
    where owner_id = ${ownerId} and project_code = ${projectCode}
  `)
}

/** FILE-1: refuses what would pass the quota, open uploads counted. In a locked project. */
export async function assertQuota(
  tx: Tx,
  ownerId: Id,
  projectCode: string,
  usedBytes: number,
  moreBytes: number,
): Promise<void> {
  const reserved = await reservedUploadBytes(tx, ownerId, uploadPurpose, projectCode)
  const free = quotaBytes - usedBytes - reserved
  const fault = quotaFault(moreBytes, free, reserved)
  if (fault) refuse(fault)
}

/** What is stored with a name: its order, what tells it apart, and what it is found by. */
export const nameColumns = (name: string, labels: readonly string[] = []) => ({
  name,
  sortName: naturalSortKey(name),
  nameKey: nameKey(name),
  searchText: buildSearchText([name, ...labels], [name]),
})
