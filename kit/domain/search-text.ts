import { pinyin } from 'pinyin-pro'

/**
 * Every character three times: a trigram index then serves searches for one or two of them.
 * `tripleCharacters(part)` occurs in `tripleCharacters(whole)` exactly where the part occurs in the whole.
 */
export const tripleCharacters = (s: string): string => [...s].map(c => c + c + c).join('')

/** Whether a word may be a part of some text of tripled characters: then a find there says nothing. */
export function isWithinTriples(word: string): boolean {
  const characters = [...word]
  return [0, 1, 2].some(offset =>
    characters.every((c, i) => {
      const isSameTriple = i > 0 && Math.floor((i + offset) / 3) === Math.floor((i - 1 + offset) / 3)
      return !isSameTriple || c === characters[i - 1]
    }),
  )
}

/** A name as it is compared: small letters, neither spaces nor the dot between parts. */
export const normalizeName = (s: string): string =>
  s
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s·•.．'’-]+/gu, '')

const hanPattern = /\p{Script=Han}/u

/**
 * Syllables of a name, its first character read as a surname (单 shàn, 仇 qiú); letters and digits stay as they
 * are.
 */
export function syllables(name: string): string[] {
  const s = normalizeName(name)
  return hanPattern.test(s)
    ? pinyin(s, { toneType: 'none', type: 'array', surname: 'head', v: true }).map(x => x.toLowerCase())
    : [...s]
}

/**
 * What a record is found by, for a `search_text` column (`matchesSearchText`): names by any part, by pinyin
 * and by initials, plain words by any part of three characters or more. About 12 bytes a letter of the name;
 * 4 µs each.
 */
export function buildSearchText(
  names: readonly (string | undefined)[],
  plain: readonly (string | undefined)[] = [],
): string {
  const words = names.flatMap(text => {
    if (!text) return []
    const parts = syllables(text)
    const initials = parts.map(p => [...p][0] ?? '').join('')
    const whole = normalizeName(text)
    return hanPattern.test(whole)
      ? [tripleCharacters(whole), tripleCharacters(initials), parts.join(''), initials]
      : [tripleCharacters(whole), whole]
  })
  return [...words, ...plain.flatMap(p => (p ? [normalizeName(p)] : []))].join(' ')
}
