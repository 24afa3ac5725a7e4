import { defined } from '#kit/domain/defined.ts'
import { UnfitWorkbook } from './worksheet.ts'

/** Called for each tag and text; names come without their prefix, texts undecoded and only whole. */
export interface XmlHandler {
  open(name: string, attributes: string): void
  close(name: string): void
  text(raw: string): void
}

/**
 * An office part has no single tag or text longer than this; without a bound each chunk would rescan a
 * growing rest.
 */
const maxTokenLength = 1024 * 1024

/** What ends the instruction, comment or text that begins with `<!` or `<?`. */
const closingOf = (s: string, at: number): string => {
  if (s.startsWith('<![CDATA[', at)) return ']]>'
  if (s.startsWith('<!--', at)) return '-->'
  return s.startsWith('<?', at) ? '?>' : '>'
}

/**
 * A scanner for the XML of office files, fed in chunks. It knows no DTD and no external entity, so there is
 * nothing to expand. Ten times less work than a tree: a sheet of 20,000 × 30 has two million tags.
 */
export function createXmlScanner(on: XmlHandler): { write(chunk: string): void; end(): void } {
  let rest = ''
  const bare = (name: string) => (name.includes(':') ? name.slice(name.indexOf(':') + 1) : name)
  return {
    write(chunk) {
      const text = rest === '' ? chunk : rest + chunk
      let at = 0
      for (;;) {
        const lt = text.indexOf('<', at)
        if (lt < 0) break
        if (lt > at) {
          on.text(text.slice(at, lt))
        }
        at = lt
        const next = text.charCodeAt(lt + 1)
        if (next === 33 /* ! */ || next === 63 /* ? */) {
          if (text.length - lt < 9) break
          const data = text.startsWith('<![CDATA[', lt)
          const closing = closingOf(text, lt)
          const end = text.indexOf(closing, lt + (closing === '-->' ? 4 : 2))
          if (end < 0) break
          if (data) {
            on.text(text.slice(lt + 9, end).replaceAll('&', '&amp;'))
          }
          at = end + closing.length
        } else if (next === 47 /* / */) {
          const end = text.indexOf('>', lt)
          if (end < 0) break
          on.close(bare(text.slice(lt + 2, end).trimEnd()))
          at = end + 1
        } else {
          const end = findTagEnd(text, lt + 1)
          if (end < 0) break
          const closed = text.charCodeAt(end - 1) === 47
          const stop = closed ? end - 1 : end
          let space = lt + 1
          while (space < stop && text.charCodeAt(space) > 32) {
            space++
          }
          const name = bare(text.slice(lt + 1, space))
          on.open(name, text.slice(space, stop))
          if (closed) {
            on.close(name)
          }
          at = end + 1
        }
      }
      rest = text.slice(at)
      if (rest.length > maxTokenLength) throw damagedWorkbook()
    },
    end() {
      if (rest.trim() !== '') throw damagedWorkbook()
    },
  }
}

/** `>` may be inside quotes (number formats such as `[>=100]0`). */
function findTagEnd(text: string, from: number): number {
  let quote = 0
  for (let i = from; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (quote !== 0) {
      if (char === quote) {
        quote = 0
      }
    } else if (char === 62) {
      return i
    } else if (char === 34 || char === 39) {
      quote = char
    }
  }
  return -1
}

/** One attribute of a tag, decoded; its prefix does not matter. */
export function readAttribute(attributes: string, name: string): string | undefined {
  for (const [, key, , double, single] of attributes.matchAll(/([^\s=]+)\s*=\s*("([^"]*)"|'([^']*)')/g)) {
    if (key === name || defined(key).endsWith(':' + name)) return unescapeXml(double ?? single ?? '')
  }
  return undefined
}

const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function unescapeXml(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (all, name: string) => {
    if (name[0] !== '#') return namedEntities[name] ?? all
    const code =
      name[1] === 'x' || name[1] === 'X' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

/** Text of a cell: entities, then Excel's `_x000D_`; line ends become `\n`. */
export function unescapeCellText(raw: string): string {
  let text = unescapeXml(raw)
  if (text.includes('_x')) {
    text = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  }
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

export const damagedWorkbook = (cause?: unknown) =>
  new UnfitWorkbook(
    'damaged',
    '文件已损坏或不完整，无法读取。请用 Excel 或 WPS 打开它，另存为 xlsx 后再上传',
    {
      cause,
    },
  )
