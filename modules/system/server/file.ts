import type { FileKey } from '#kit/contract/field.ts'
import { Refused, notFound, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { findOpenKeys } from '#kit/server/file-access.ts'
import { SignInRequired, anonymous, assertSetUp, reads, writes } from '#kit/server/handler.ts'
import type { Caller } from '#kit/server/scope.ts'
import { getFileUrls, getFile, uploadFile } from '../contract/file.ts'

/** A file never changes under its key, so a browser may cache it. */
const cacheSeconds = 86_400

/** To a caller who may not open it a file does not exist. Answers its company. */
async function requireOpen(app: App, caller: Caller | undefined, key: FileKey): Promise<Id> {
  if (!caller) throw new SignInRequired()
  assertSetUp(caller)
  if (!(await findOpenKeys(app, caller, [key])).has(key)) throw notFound()
  return caller.ownerId
}

export const fileHandlers = [
  writes(uploadFile, async (_, { tx, scope, upload, app }) => {
    if (!upload) throw new Refused(resultCode.invalidInput, '请选择要上传的文件')
    const key = await app.files.save(scope.ownerId, scope.operatorId, upload, undefined, tx)
    return {
      key,
      name: upload.name,
      type: upload.type,
      size: upload.size,
      url: app.files.signedUrl(scope.ownerId, key),
    }
  }),
  anonymous(getFile, async ({ key, ownerId, until, sign }, { app, caller }) => {
    const isSigned =
      ownerId !== undefined &&
      until !== undefined &&
      sign !== undefined &&
      app.files.isValidSignature(ownerId, key, until, sign)
    const fileOwnerId = isSigned ? ownerId : await requireOpen(app, caller, key)
    const file = await app.files.find(fileOwnerId, key)
    if (!file) throw notFound()
    return {
      name: file.name,
      type: file.type,
      size: file.size,
      body: file.read,
      inline: true,
      cacheSeconds,
    }
  }),
  reads(getFileUrls, async ({ keys }, { scope, app }) => {
    const open = await findOpenKeys(app, scope, keys)
    const found = await app.files.describe(scope.ownerId, [...open])
    return found.map(f => ({ ...f, url: app.files.signedUrl(scope.ownerId, f.key) }))
  }),
]
