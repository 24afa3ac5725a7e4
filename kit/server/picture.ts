import type { Id } from '#kit/domain/id.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Files } from './app.ts'

const maxBytes = 2048 * 1024

/**
 * What is wrong with a picture of a record: it must be there, be a picture and have 2,048 KB at most (0§5).
 */
export async function checkPicture(
  files: Pick<Files, 'describe'>,
  ownerId: Id,
  key: string | undefined,
  field: string,
  label: string,
): Promise<FieldFault[]> {
  if (!key) return []
  const [found] = await files.describe(ownerId, [key])
  if (!found) return [{ Field: field, Message: `${label}已过期，请重新上传` }]
  if (!found.type.startsWith('image/')) return [{ Field: field, Message: `${label}只能是图片` }]
  return found.size > maxBytes ? [{ Field: field, Message: `${label}不能超过 2048 KB，请压缩后再上传` }] : []
}
