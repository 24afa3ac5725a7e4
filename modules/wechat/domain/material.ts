import type { ChoiceOf } from '#kit/contract/field.ts'
import type { materialType } from '../contract/choices.ts'
import type { WechatMaterial } from '../contract/material.ts'

type MaterialType = ChoiceOf<typeof materialType>

interface MediaLimit {
  readonly types: readonly string[]
  readonly typeNames: string
  readonly maxBytes: number
}

const pictures = ['image/jpeg', 'image/png', 'image/gif']

/** What the platform takes of each kind; the file of an article is its cover. */
const limits: Readonly<Record<MaterialType, MediaLimit>> = {
  image: { types: pictures, typeNames: 'JPG、PNG、GIF', maxBytes: 2 * 1_048_576 },
  article: { types: pictures, typeNames: 'JPG、PNG、GIF', maxBytes: 2 * 1_048_576 },
  voice: { types: ['audio/mpeg', 'audio/amr'], typeNames: 'MP3、AMR', maxBytes: 2 * 1_048_576 },
  video: { types: ['video/mp4'], typeNames: 'MP4', maxBytes: 10 * 1_048_576 },
}

/** Why the platform would not take a file. */
export function mediaFault(
  kind: MaterialType,
  file: { readonly type: string; readonly size: number } | undefined,
): string | undefined {
  if (!file) return '文件不存在，请重新上传'
  const { types, typeNames, maxBytes } = limits[kind]
  if (!types.includes(file.type)) return `文件类型应为 ${typeNames}`
  return file.size > maxBytes ? `文件不超过 ${maxBytes / 1_048_576} MB` : undefined
}

type Draft = Pick<WechatMaterial, 'mediaType' | 'media' | 'content' | 'sourceUrl'>

/** Faults of a material by the field that has them. */
export function materialFault({
  mediaType,
  media,
  content,
  sourceUrl,
}: Draft): { Field: string; Message: string }[] {
  const isArticle = mediaType === 'article'
  const isSecure = sourceUrl === undefined || /^https:\/\/[^\s"<>]+$/.test(sourceUrl)
  return [
    ...(media === undefined
      ? [{ Field: 'MediaUrl', Message: isArticle ? '请上传封面图片' : '请上传文件' }]
      : []),
    ...(isArticle && !content?.trim() && sourceUrl === undefined
      ? [{ Field: 'Content', Message: '请填写正文，或填写原文链接' }]
      : []),
    ...(isSecure ? [] : [{ Field: 'Url', Message: '原文链接应以 https:// 开头' }]),
  ]
}
