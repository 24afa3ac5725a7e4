import { isWithinTriples, normalizeName, tripleCharacters } from '#kit/domain/search-text.ts'
import { sql, type RawBuilder } from './db.ts'
import { containsPattern } from './like-pattern.ts'

/**
 * Whether a `search_text` (made by `buildSearchText`) has what somebody typed: a part of a name, pinyin,
 * initials, a part of a number. Served by a trigram index from one character of a name, three letters or
 * digits on. `of` is the table's alias.
 */
export function matchesSearchText(keyword: string, of = 't'): RawBuilder<boolean> {
  const word = normalizeName(keyword)
  const text = sql.ref(`${of}.search_text`)
  // Signs that names are compared without (`'`, `·`) are in no search text: alone they find nothing.
  if (!word) return keyword.trim() ? sql`false` : sql`true`
  // eslint-disable-next-line no-control-regex -- plain ASCII is meant
  if (/[^\x00-\x7f]/.test(word))
    return sql`${text} like ${containsPattern(tripleCharacters(word))} escape '\\'`
  if (/^\d+$/.test(word))
    return word.length < 3
      ? sql`strpos(${text}, ${word}) > 0`
      : sql`${text} like ${containsPattern(word)} escape '\\'`
  if (word.length < 3) return sql`${text} like ${containsPattern(tripleCharacters(word))} escape '\\'`
  const found = sql<boolean>`${text} like ${containsPattern(word)} escape '\\'`
  return isWithinTriples(word) ? sql`(${found} and ${isOutsideTriples(text, word)})` : found
}

/** The letters that stand for short words must not match longer ones: `sjj` is a part of `sssjjj`. */
const isOutsideTriples = (text: RawBuilder<unknown>, word: string): RawBuilder<boolean> => sql`exists (
  select 1
  from unnest(string_to_array(${text}, ' ')) w
  where w like ${containsPattern(word)} escape '\\' and w !~ '^((.)\\2\\2)+$'
)`
