import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { Refused, invalidField, refuse, resultCode } from '#kit/contract/wire.ts'
import type { Upload } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { hashFile } from '#kit/server/file-hash.ts'
import { extensionOf, imageExtensions } from '#kit/server/file-type.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { claimUpload, type UploadPurpose } from '#kit/server/resumable-upload.ts'
import { requireProject } from '#kit/server/scope.ts'
import { uploadPurpose, uploadToFolder } from '../contract/transfer.ts'
import { nameFault, uniqueName } from '../domain/file-name.ts'
import { imageFault } from '../domain/upload-fault.ts'
import { menu } from '../module.ts'
import {
  assertQuota,
  assertWritableFolder,
  changeUsage,
  findFolders,
  lockProject,
  nameColumns,
  readUsage,
} from './folders.ts'
import { findFileRows, projectIdOf, toNode } from './node-rows.ts'
import { projectOf } from './project.ts'
import { findTakenNames } from './taken-names.ts'

/** FILE-8: by what the file is, else by what its name says. */
function assertImageSize(name: string, size: number, type?: string): void {
  const isImage = type?.startsWith('image/') ?? imageExtensions.has(extensionOf(name))
  const fault = imageFault({ name, size, isImage })
  if (fault) throw new Refused(resultCode.invalidInput, fault)
}

function assertName(name: string): void {
  const fault = nameFault(name)
  if (fault) throw invalidField('Name', fault)
}

/** Asked before a byte of a large file is received (FILE-1). */
export const filesUpload: UploadPurpose = {
  name: uploadPurpose,
  needs: menu.file.permissions.add,
  inspect: ({ name, size, type }) => assertImageSize(name, size, type),
  accept: async (tx, caller, { name, size, details }) => {
    const projectCode = requireProject(caller.domain, details.projectCode ?? '')
    if ((await projectIdOf(tx, caller.ownerId, projectCode)) === undefined) refuse('项目不存在，请重新选择')
    const usedBytes = await lockProject(tx, caller.ownerId, projectCode)
    assertName(name)
    assertImageSize(name, size)
    assertWritableFolder(caller, await findFolders(tx, caller.ownerId, projectCode), parseId(details.dirId))
    await assertQuota(tx, caller.ownerId, projectCode, usedBytes, size)
    return projectCode
  },
}

interface FilePlace {
  readonly projectCode: string
  readonly dirId: Id
}

interface NewFile extends FilePlace {
  readonly upload: Upload
  readonly sha256: string
  readonly fileKey: string
}

/** Refuses a folder that the caller may not write to, and what would pass the quota. */
async function assertPlace(
  { tx, scope }: WriteContext,
  { projectCode, dirId }: FilePlace,
  size: number,
  usedBytes: number,
): Promise<void> {
  assertWritableFolder(scope, await findFolders(tx, scope.ownerId, projectCode), dirId)
  await assertQuota(tx, scope.ownerId, projectCode, usedBytes, size)
}

/** Stores a file under a free name of its folder. Returns its number. In a locked project. */
async function addFile(
  { tx, scope }: WriteContext,
  { projectCode, dirId, upload, sha256, fileKey }: NewFile,
): Promise<Id> {
  const taken = await findTakenNames(tx, scope.ownerId, projectCode, dirId, { files: [upload.name] })
  const { name, sortName, nameKey, searchText } = nameColumns(uniqueName(upload.name, taken))
  const made = await tx.one<{ id: Id }>(sql`
    insert into file_info (
      owner_id, create_by, update_by, create_time, update_time, project_code, dir_id, name, sort_name,
      name_key, search_text, file_key, file_size, content_type, sha256, uploader_id, uploader_name
    )
    values (
      ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${scope.time}, ${scope.time},
      ${projectCode}, ${dirId}, ${name}, ${sortName}, ${nameKey}, ${searchText}, ${fileKey}, ${upload.size},
      ${upload.type}, ${sha256}, ${scope.operatorId}, ${scope.name}
    )
    returning id
  `)
  const { id } = defined(made)
  await audit(tx, scope, [
    { action: 'insert', entity: 'fileInfo', entityId: id, projectCode, after: { name, dirId, sha256 } },
  ])
  return id
}

export const uploadHandlers = [
  writes(uploadToFolder, async ({ dirId = 0, uploadId, ...named }, c) => {
    const { tx, scope, app } = c
    const projectCode = await projectOf(tx, scope, named)
    const { ownerId } = scope
    const received = uploadId ? await claimUpload(tx, app, scope, uploadPurpose, uploadId) : c.upload
    if (!received) throw new Refused(resultCode.invalidInput, '请选择要上传的文件')
    // As it was sent: a name is refused, never changed.
    const upload = { ...received, name: received.sentName ?? received.name }
    assertName(upload.name)
    assertImageSize(upload.name, upload.size, upload.type)
    const place = { projectCode, dirId }
    // Before the lock: others need not wait while a large file is read and stored, or the storage is silent.
    await assertPlace(c, place, upload.size, await readUsage(tx, ownerId, projectCode))
    const sha256 = upload.sha256 ?? (await hashFile(upload.path))
    const fileKey = await app.files.save(ownerId, scope.operatorId, upload, undefined, tx)
    await assertPlace(c, place, upload.size, await lockProject(tx, ownerId, projectCode))
    const id = await addFile(c, { ...place, upload, sha256, fileKey })
    await changeUsage(tx, ownerId, projectCode, upload.size)
    const [row] = await findFileRows(tx, ownerId, { where: sql`t.id = ${id}` })
    return toNode(defined(row), c, await projectIdOf(tx, ownerId, projectCode))
  }),
]
