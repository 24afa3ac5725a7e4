import { list, text } from './field.ts'

// Formatted text is HTML of a few plain elements. A picture in it is a stored file: `<img src="file:KEY">`.

const fileScheme = 'file:'
const storedKey = /^file:([0-9a-f]{40})$/
const pictures = /<img\b[^>]*?\bsrc="file:([0-9a-f]{40})"/g

export const fileSourceOf = (key: string): string => `${fileScheme}${key}`

/** The stored file that a picture shows; nothing for an address. */
export const keyOfSource = (source: string): string | undefined => storedKey.exec(source)?.[1]

/** The stored files that a sanitised text shows, each once. */
export const richTextFileKeys = (html: string): readonly string[] => [
  ...new Set([...html.matchAll(pictures)].flatMap(([, key]) => (key === undefined ? [] : [key]))),
]

/** A sanitised text with the addresses of its pictures; one that is not open to the reader is left out. */
export const withPictureUrls = (html: string, urlOf: (key: string) => string | undefined): string =>
  html.replace(/<img\b[^>]*>/g, tag => {
    const key = /\bsrc="file:([0-9a-f]{40})"/.exec(tag)?.[1]
    const url = key === undefined ? undefined : urlOf(key)
    return url === undefined || key === undefined
      ? ''
      : tag.replace(fileSourceOf(key), url.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
  })

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

/** The words of a text, for messages, sheets and search: one line per paragraph. */
export const plainTextOf = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/(?:p|h[1-6]|li|blockquote)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, entity => entities[entity] ?? entity)
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n+ */g, '\n')
    .trim()

/** Neither words nor a picture. */
export const isEmptyRichText = (html: string): boolean => plainTextOf(html) === '' && !/<img\b/.test(html)

const hiddenOutsideForms = { hiddenIn: ['table', 'filter', 'sheet', 'detail'] } as const

/** A formatted text as it is kept; with it goes `richTextFilesField`. */
export const richTextField = <const R extends boolean = false>(
  label: string,
  options: { readonly required?: R; readonly max?: number; readonly wire?: string } = {},
) => text<R>(label, { max: 50_000, ...hiddenOutsideForms, ...options })

/** The pictures of a formatted text: the server writes them, so that those who read it may open them. */
export const richTextFilesField = (wire = 'ContentFiles') =>
  list('正文图片', {
    max: 50,
    holdsFiles: true,
    immutable: true,
    wire,
    hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
  })
