import { invalidInput } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findHeldKeys, findOwnUploads, ownFileMs } from '#kit/server/file-access.ts'
import { isFileKey } from '#kit/server/files.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findOtherFileKeys } from './file-keys.ts'

/**
 * Evidence is a file that the caller has just uploaded and that stands nowhere else: with its time it is
 * deleted, and no other record may lose it then.
 */
export async function requireNewUploads(
  tx: Tx,
  app: Pick<App, 'clock'>,
  scope: Scope,
  keys: readonly string[],
): Promise<void> {
  if (!keys.length) return
  const { ownerId } = scope
  // Two requests that name one file wait for each other here.
  await tx.rows(sql`
    select key
    from file_store
    where owner_id = ${ownerId} and key = any(${[...keys]}::text[])
    order by id
    for update
  `)
  const uploads = await findOwnUploads(tx, scope, keys.filter(isFileKey), new Date(app.clock() - ownFileMs))
  const own = new Set(uploads.map(upload => upload.key))
  const inUse = await findHeldKeys(tx, ownerId, keys)
  const others = await findOtherFileKeys(tx, ownerId, keys)
  if (keys.some(key => !own.has(key) || inUse.has(key) || others.has(key)))
    throw invalidInput([{ Field: 'Evidence', Message: '只能使用为本请求新上传的文件，请重新上传' }])
}
