import { stat } from 'node:fs/promises'
import type { FileKey } from '#kit/contract/field.ts'
import { Refused, absent, code } from '#kit/contract/wire.ts'
import { SignInFirst, greets, reads, writes } from '#kit/server/handle.ts'
import { fileBody } from '#kit/server/http.ts'
import { fileUrls, getFile, uploadFile } from '../contract/file.ts'

/** A file never changes under its key, so a browser may keep it. */
const keepSeconds = 86_400

export const fileHandlers = [
  writes(uploadFile, async (_, { tx, scope, upload, world }) => {
    if (!upload) throw new Refused(code.input, '请选择要上传的文件')
    const key = await world.files.keep(scope.ownerId, scope.operatorId, upload, undefined, tx)
    return {
      key,
      name: upload.name,
      type: upload.type,
      size: upload.size,
      url: world.files.address(scope.ownerId, key),
    }
  }),
  greets(getFile, async ({ key, owner, until, sign }, { world, caller }) => {
    const signed =
      owner !== undefined &&
      until !== undefined &&
      sign !== undefined &&
      world.files.addressed(owner, key, until, sign)
    if (!signed && !caller) throw new SignInFirst()
    const f = await world.files.find(signed ? owner : caller!.ownerId, key)
    if (!f || !(await stat(f.path).catch(() => undefined))) throw absent()
    return { name: f.name, type: f.type, size: f.size, body: fileBody(f.path), inline: true, keepSeconds }
  }),
  reads(fileUrls, async ({ keys }, { scope, world }) => {
    const found = await world.files.describe(scope.ownerId, keys as readonly FileKey[])
    return found.map(f => ({ ...f, url: world.files.address(scope.ownerId, f.key) }))
  }),
]
