import { spread, squeezed } from '#kit/domain/spell.ts'
import { sql, type RawBuilder } from './db.ts'

const like = (s: string): string => `%${s.replace(/[\\%_]/g, c => `\\${c}`)}%`

/**
 * Whether a `search_text` (made by `searchTextOf`) has what somebody typed: a part of a name, pinyin,
 * initials, a part of a number. Served by a trigram index from one character of a name, three letters or
 * digits on. `of` is the table's alias.
 */
export function soughtBy(keyword: string, of = 't'): RawBuilder<boolean> {
  const word = squeezed(keyword)
  const text = sql.ref(`${of}.search_text`)
  if (!word) return sql`true`
  // eslint-disable-next-line no-control-regex -- plain ASCII is meant
  if (/[^\x00-\x7f]/.test(word)) return sql`${text} like ${like(spread(word))} escape '\\'`
  if (/^\d+$/.test(word))
    return word.length < 3 ? sql`strpos(${text}, ${word}) > 0` : sql`${text} like ${like(word)} escape '\\'`
  return word.length < 3
    ? sql`${text} like ${like(spread(word))} escape '\\'`
    : sql`${text} like ${like(word)} escape '\\'`
}
