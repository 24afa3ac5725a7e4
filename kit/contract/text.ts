import { toHalfWidth } from '#kit/domain/half-width.ts'

export { toHalfWidth }

/** What is where there is nothing (G-1, 0§9). */
export const emptyPlaceholder = '--'

/** Characters as people and the database count them, by code point: an emoji is one. */
export const countCharacters = (text: string): number => {
  let length = 0
  for (const _ of text) {
    length++
  }
  return length
}

/** The first `max` characters and `...` when there are more (0§9); never half an emoji. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const all = [...text]
  return all.length <= max ? text : all.slice(0, max).join('') + '...'
}

// Zero-width and direction marks, soft hyphen, byte order mark; the joiner U+200D stays, emoji are made with
// it.
const invisibleCharacters =
  /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/**
 * Free text as kept: no unseen or control characters (lines and tabs stay), one kind of line end, trimmed,
 * composed.
 */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(invisibleCharacters, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()

/**
 * Codes, numbers, phones as kept: cleaned, half-width, without any space (IMP-5): `１３８ 0013 8000` →
 * `13800138000`.
 */
export const normalizeCode = (text: string): string => toHalfWidth(cleanText(text)).replace(/\s+/g, '')

/** KB, MB or GB with three decimals of 1024 each; 未知大小 for what is no size (0§2). */
export function formatFileSize(bytes: number | undefined | null): string {
  if (typeof bytes !== 'number' || !Number.isFinite(bytes) || bytes < 0) return '未知大小'
  const units = [
    ['GB', 1024 ** 3],
    ['MB', 1024 ** 2],
    ['KB', 1024],
  ] as const
  // A size that would round up to 1024.000 already belongs to the next unit.
  const [name, size] = units.find(([, s]) => bytes >= s * 0.9999995) ?? units[2]
  return `${(bytes / size).toFixed(3)} ${name}`
}

/**
 * `138 **** 6021`; other numbers keep the ends (landlines their area code): `0755-****5678`. Nothing to hide
 * in less than 5 characters but all.
 */
export function maskPhone(phone: string): string {
  const p = phone.trim()
  if (/^\d{11}$/.test(p) && p[0] === '1') return `${p.slice(0, 3)} **** ${p.slice(7)}`
  const line = /^(0\d{2,3}-?)(\d{3,4})(\d{4})$/.exec(p)
  return line ? `${line[1]}****${line[3]}` : maskMiddle(p, 2, 2)
}

/**
 * An ID card keeps its province and its last four: `440 *********** 1234`; other documents their first and
 * last characters.
 */
export const maskIdCard = (id: string): string => {
  const t = id.trim()
  return /^\d{17}[\dXx]$/.test(t) ? `${t.slice(0, 3)} *********** ${t.slice(14)}` : maskMiddle(t, 1, 2)
}

/** The ends shown, all between them starred; all starred when the ends would be half of it or more. */
export function maskMiddle(text: string, head: number, tail: number): string {
  const all = [...text]
  return all.length < (head + tail) * 2
    ? '*'.repeat(all.length)
    : `${all.slice(0, head).join('')}${'*'.repeat(all.length - head - tail)}${all.slice(all.length - tail).join('')}`
}

/** How personal data looks to those who may not see it in full (PERM-7), by how its field is masked. */
export const maskByKind = { mobile: maskPhone, idCard: maskIdCard, secret: () => '******' } as const
