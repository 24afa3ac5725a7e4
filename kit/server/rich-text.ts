import sanitize from 'sanitize-html'
import { keyOfSource, richTextFileKeys, withPictureUrls } from '#kit/contract/rich-text.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import { findOpenKeys } from './file-access.ts'
import type { Caller } from './scope.ts'

const plainTags = [
  'p',
  'br',
  'h2',
  'h3',
  'strong',
  'em',
  'u',
  's',
  'ul',
  'ol',
  'li',
  'blockquote',
  'hr',
  'a',
  'img',
]

/** Elements whose words are no part of the text. */
const silentTags = ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'iframe', 'svg', 'math']

/** Links open in a window that knows nothing of ours; what is no link of ours loses its address. */
const linkAttributes = (href: string): Record<string, string> =>
  /^(?:https:\/\/|tel:\+?[0-9-]+$)/i.test(href) ? { href, target: '_blank', rel: 'noopener noreferrer' } : {}

/**
 * Formatted text as it may be stored and shown to anybody: a few elements without styles or scripts, links to
 * `https:` and telephone numbers, pictures from the stored files alone.
 */
export const sanitizeRichText = (html: string): string =>
  sanitize(html, {
    allowedTags: plainTags,
    nonTextTags: silentTags,
    allowedAttributes: { a: ['href', 'target', 'rel'], img: ['src', 'alt'] },
    allowedSchemes: ['https', 'tel'],
    allowedSchemesByTag: { img: ['file'] },
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nestingLimit: 20,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && keyOfSource(attribs.src ?? '') === undefined,
    transformTags: {
      a: (tagName, { href = '' }) => ({ tagName, attribs: linkAttributes(href) }),
      b: 'strong',
      i: 'em',
      h1: 'h2',
      h4: 'h3',
      h5: 'h3',
      h6: 'h3',
      div: 'p',
    },
  }).trim()

/**
 * What is stored of a formatted text, and its pictures. A picture that the caller may not open is refused:
 * the text would open it to every reader. `before` are the pictures that the text has had.
 */
export async function prepareRichText(
  app: Pick<App, 'clock' | 'database'>,
  caller: Caller,
  html: string,
  before: readonly string[] = [],
): Promise<{ readonly html: string; readonly fileKeys: readonly string[] }> {
  const clean = sanitizeRichText(html)
  const fileKeys = richTextFileKeys(clean)
  const added = fileKeys.filter(key => !before.includes(key))
  const open = await findOpenKeys(app, caller, added)
  if (added.some(key => !open.has(key)))
    throw new Refused(resultCode.forbidden, '无权使用正文中的图片，请重新上传')
  return { html: clean, fileKeys }
}

/** A stored text for readers without an account: its pictures have addresses that open for an hour or two. */
export const openRichText = (app: Pick<App, 'files'>, ownerId: Caller['ownerId'], html: string): string =>
  withPictureUrls(html, key => app.files.signedUrl(ownerId, key))
