import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'

/** Refuses pictures that are not there, and files that are none. */
export async function assertImages(
  app: Pick<App, 'files'>,
  ownerId: Id,
  field: string,
  keys: readonly string[],
): Promise<void> {
  if (!keys.length) return
  const found = await app.files.describe(ownerId, keys)
  if (found.length < new Set(keys).size) throw invalidField(field, '图片不存在或已过期，请重新上传')
  if (found.some(image => !image.type.startsWith('image/')))
    throw invalidField(field, '只能上传图片，请重新选择')
}
