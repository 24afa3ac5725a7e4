import type { FieldFault } from '#kit/contract/wire.ts'
import { isEmptyRichText, richTextFileKeys } from '#kit/contract/rich-text.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { prepareRichText, sanitizeRichText } from '#kit/server/rich-text.ts'
import type { WriteContext } from '#kit/server/handler.ts'

/** What is wrong with a formatted text: neither words nor a picture, or a picture that is none. */
export async function richTextFaults(
  { app, scope }: WriteContext,
  field: string,
  label: string,
  html: string,
  before: readonly string[] = [],
): Promise<FieldFault[]> {
  const clean = sanitizeRichText(html)
  if (isEmptyRichText(clean)) return [{ Field: field, Message: `请填写${label}` }]
  const added = richTextFileKeys(clean).filter(key => !before.includes(key))
  if (added.length > 50) return [{ Field: field, Message: `${label}的图片不能超过 50 张` }]
  const faults = await Promise.all(
    added.map(key => checkPicture(app.files, scope.ownerId, key, field, `${label}的图片`)),
  )
  return faults.flat().slice(0, 1)
}

/** What is stored of a formatted text and its pictures. */
export async function storedRichText(
  { app, scope }: WriteContext,
  html: string,
  before: readonly string[] = [],
): Promise<{ readonly content: string; readonly contentFiles: readonly string[] }> {
  const { html: content, fileKeys } = await prepareRichText(app, scope, html, before)
  return { content, contentFiles: fileKeys }
}
