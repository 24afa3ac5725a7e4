import { createHash } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import type { Files } from '#kit/server/app.ts'
import type { Scope } from '#kit/server/scope.ts'
import { nameColumns } from '#modules/files/server/folders.ts'
import { seedAdvertisement } from './advertisements.ts'
import { seedFacePhotos } from './face-photos.ts'
import { demoDeleted, demoFiles, demoFolders, type DemoFolder } from './demo-files.ts'

interface Shelf {
  readonly tx: Tx
  readonly files: Files
  readonly scope: Scope
  readonly project: string
}

const hourMs = 3_600_000

/** Puts a folder. Returns its number. */
async function putFolder({ tx, scope, project }: Shelf, folder: DemoFolder, pid: Id): Promise<Id> {
  const { name, sortName, nameKey, searchText } = nameColumns(folder.name)
  const row = await tx.one<{ id: Id }>(sql`
    insert into file_dir (
      owner_id, project_code, pid, name, sort_name, name_key, search_text, directory_type, create_by, update_by
    )
    values (
      ${scope.ownerId}, ${project}, ${pid}, ${name}, ${sortName}, ${nameKey}, ${searchText},
      ${folder.type ?? 0}, ${scope.operatorId}, ${scope.operatorId}
    )
    returning id
  `)
  return defined(row).id
}

type DemoFile = (typeof demoFiles)[number]

/** Puts a file; with `deletedAt` into the bin. Returns its bytes. */
async function putFile(
  { tx, files, scope, project }: Shelf,
  { name: fileName, content, labels = [] }: DemoFile,
  dirId: Id,
  deletedAt?: Date,
): Promise<number> {
  const { name, sortName, nameKey, searchText } = nameColumns(fileName, labels)
  const { bytes, type } = content
  const key = await files.save(scope.ownerId, scope.operatorId, { name, type, bytes }, undefined, tx)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await tx.execute(sql`
    insert into file_info (
      owner_id, project_code, dir_id, name, sort_name, name_key, search_text, file_key, file_size, file_label,
      content_type, sha256, uploader_id, uploader_name, delete_tag, bin_key, bin_root, delete_time, create_by,
      update_by
    )
    values (
      ${scope.ownerId}, ${project}, ${dirId}, ${name}, ${sortName}, ${nameKey}, ${searchText}, ${key},
      ${bytes.length}, ${[...labels]}::text[], ${type}, ${sha256}, ${scope.operatorId}, ${scope.name},
      ${deletedAt ? 1 : 0}, ${deletedAt ? key : null}, ${deletedAt !== undefined}, ${deletedAt ?? null},
      ${scope.operatorId}, ${scope.operatorId}
    )
  `)
  return bytes.length
}

async function putAll(
  shelf: Shelf,
  folders: readonly DemoFolder[],
  files: readonly DemoFile[],
  id: Id,
): Promise<number> {
  let bytes = 0
  for (const file of files) {
    bytes += await putFile(shelf, file, id)
  }
  for (const folder of folders) {
    const pid = await putFolder(shelf, folder, id)
    bytes += await putAll(shelf, folder.folders ?? [], folder.files ?? [], pid)
  }
  return bytes
}

/** The company's files of a project: folders, files of every kind that is previewed, two in the bin. */
export async function seedFiles(
  database: Database,
  scope: Scope,
  project: string,
  dataDir: string,
  now = Date.now(),
): Promise<void> {
  const files = await openFiles(database, () => now, dataDir)
  await database.tx(scope.ownerId, async tx => {
    const shelf = { tx, files, scope, project }
    let bytes = await putAll(shelf, demoFolders, demoFiles, 0)
    for (const { file, hours } of demoDeleted) {
      bytes += await putFile(shelf, file, 0, new Date(now - hours * hourMs))
    }
    await seedFacePhotos(tx, scope, files)
    await seedAdvertisement(tx, scope, files, { project, now })
    await tx.execute(sql`
      insert into file_usage (owner_id, project_code, used_bytes) values (${scope.ownerId}, ${project}, ${bytes})
    `)
  })
}
