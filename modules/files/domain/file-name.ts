import { maxNameLength } from '../contract/limits.ts'

/** What a new folder is called until it is renamed (0§7). */
export const defaultFolderName = '新建文件夹'

/** What shows nothing: a name of these alone is empty. Joiners inside a name are letters of some scripts. */
const invisible = /[\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0\u2800]/gu

/** A name as it is kept: composed (NFC), as people read it, whatever form a system sends it in. */
export const storedName = (name: string): string => name.normalize('NFC').trim()

/** Why a name is refused for a file or folder; undefined when it is allowed (FILE-2). */
export function nameFault(name: string): string | undefined {
  const text = storedName(name)
  if (!text.replace(invisible, '')) return '名称不能为空'
  if ([...text].length > maxNameLength) return `名称不能超过 ${maxNameLength} 个字`
  if (/[\\/:*?"<>|]/.test(text)) return '名称不能包含 \\ / : * ? " < > |'
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || /\p{Cf}/u.test(text.replace(/[\u200c\u200d]/g, '')))
    return '名称不能包含控制字符或不可见字符'
  return text === '.' || text === '..' ? '名称不能是 . 或 ..' : undefined
}

/** `合同.v2.pdf` → `合同.v2` and `.pdf`; a folder has no extension, and neither has `.env`. */
const splitExtension = (name: string): readonly [stem: string, extension: string] => {
  const at = name.lastIndexOf('.')
  return at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
}

/**
 * Names are compared without regard to case or to how an accent is written: people do not see the difference.
 * A sigma has one small form here: `toLowerCase` chooses between its two by what follows, so a prefix would
 * not match its own name.
 */
export const nameKey = (name: string): string =>
  name.trim().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

const shorten = (stem: string, length: number): string => [...stem].slice(0, length).join('')

/** A folder's name has no extension. */
interface NameOptions {
  readonly isFolder?: boolean
}

/**
 * The name where none has it yet, else the first of `name(1)`, `name(2)`, … that is free, never longer than
 * allowed (FILE-2). `taken` holds keys (`nameKey`). The number is before a file's extension.
 */
export function uniqueName(
  name: string,
  taken: ReadonlySet<string>,
  { isFolder = false }: NameOptions = {},
): string {
  const whole = storedName(name)
  if (!taken.has(nameKey(whole))) return whole
  const [stem, extension] = isFolder ? [whole, ''] : splitExtension(whole)
  for (let n = 1; ; n++) {
    const suffix = `(${n})${extension}`
    const candidate = `${shorten(stem, maxNameLength - [...suffix].length)}${suffix}`
    if (!taken.has(nameKey(candidate))) return candidate
  }
}

/** Room for the number of `uniqueName`: `(999999)`. */
const numberLength = 8

/**
 * How every name begins (as `nameKey`) that `uniqueName` looks for or may answer: those that begin otherwise
 * need not be read. One character less than is kept: what follows a letter may change its small form.
 */
export function namePrefix(name: string, { isFolder = false }: NameOptions = {}): string {
  const whole = storedName(name)
  const [stem, extension] = isFolder ? [whole, ''] : splitExtension(whole)
  const kept = Math.min([...stem].length, maxNameLength - [...extension].length - numberLength)
  return [...nameKey(stem)].slice(0, Math.max(0, kept - 1)).join('')
}

/** Names for several at once, in their order; each one counts as taken for the next. */
export function uniqueNames(
  names: readonly string[],
  taken: ReadonlySet<string>,
  { isFolder = false }: NameOptions = {},
): string[] {
  const known = new Set(taken)
  return names.map(name => {
    const free = uniqueName(name, known, { isFolder })
    known.add(nameKey(free))
    return free
  })
}
