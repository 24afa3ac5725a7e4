import {
  addressPattern,
  addressReadings,
  normalizeKeyword,
  wholeAddressPattern,
  type Address,
} from '#kit/domain/address.ts'
import { searchRanks, unexplainedLevel } from '#kit/domain/search-rank.ts'
import { sql, type RawBuilder } from './db.ts'
import { escapeLike } from './like-pattern.ts'

/** A column by which a record is found, as `SearchField` of `kit/domain/search-rank.ts`. */
export interface SearchColumn {
  readonly column: RawBuilder<unknown>
  readonly isPath?: boolean
  readonly isSecondary?: boolean
}

const [exact, end, prefix, rest] = searchRanks.map((_, index) => sql.lit(index))

const textRank = (text: RawBuilder<unknown>, word: string): RawBuilder<unknown> => sql`case
  when ${text} = ${word} then ${exact}
  when ${text} like ${`%${escapeLike(word)}`} escape '\\' then ${end}
  when ${text} like ${`${escapeLike(word)}%`} escape '\\' then ${prefix}
  when strpos(${text}, ${word}) > 0 then ${rest}
end`

function readingRank(path: RawBuilder<unknown>, word: string, address: Address): RawBuilder<unknown> {
  const [only] = address.parts
  const whole = sql`when ${path} = ${word} then ${exact}`
  if (only === undefined) return sql`case ${whole} end`
  const pattern = addressPattern(address)
  if (pattern !== undefined) {
    const wholePattern = wholeAddressPattern(address)
    const isAlone = address.parts.length === 1
    return sql`case ${whole}
      when ${path} ~ ${isAlone ? wholePattern : `^${wholePattern}`} then ${exact}
      when ${path} ~ ${wholePattern} then ${end}
      when ${path} ~ ${`^${pattern}`} then ${prefix}
      when ${path} ~ ${pattern} then ${rest}
    end`
  }
  const typed = only.texts[0]
  const number = sql`substring(${path} from '[^-]*$')`
  return sql`case ${whole}
    when ${number} = ${typed} then ${exact}
    else least(
      case when ${number} like ${`${escapeLike(typed)}%`} escape '\\' then ${prefix} end,
      ${textRank(sql`replace(${path}, '-', '')`, typed)}
    )
  end`
}

const pathRank = (path: RawBuilder<unknown>, word: string): RawBuilder<unknown> =>
  sql`least(${sql.join(addressReadings(word).map(address => readingRank(path, word, address)))})`

/**
 * The level of `searchLevel` for a row, computed by the database: where more rows answer than are read, the
 * limit takes the best. The smallest comes first.
 */
export function searchLevelSql(keyword: string, columns: readonly SearchColumn[]): RawBuilder<number> {
  const word = normalizeKeyword(keyword)
  const levels = columns.map(({ column, isPath, isSecondary }) => {
    const text = sql`lower(${column})`
    const rank = isPath ? pathRank(text, word) : textRank(text, word)
    return isSecondary ? sql`${sql.lit(searchRanks.length)} + ${rank}` : rank
  })
  return sql<number>`least(${sql.join(levels)}, ${sql.lit(unexplainedLevel)})`
}
