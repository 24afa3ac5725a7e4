import { sql, type RawBuilder } from '#kit/server/db.ts'
import { contains } from '#kit/server/table.ts'
import { idOfShownKey, secretKeyPattern } from '../domain/secret-item.ts'

/** Items `t` by a part of their keys; a secret by the whole of it, or it could be guessed digit by digit. */
export const itemKeyCondition = (word: string): RawBuilder<unknown> => sql`(
  (${contains(sql`t.item_key`, word)} and t.item_key !~ ${secretKeyPattern})
  or (t.item_key ~ ${secretKeyPattern} and regexp_replace(t.item_key, ${secretKeyPattern}, '') = ${word})
)`

/** Items by the keys that lists have shown. */
export function shownKeysCondition(keys: readonly string[]): RawBuilder<unknown> {
  const ids = keys.flatMap(key => idOfShownKey(key) ?? [])
  const whole = keys.filter(key => idOfShownKey(key) === undefined)
  return sql`(item_key = any(${whole}::text[]) or id = any(${ids}::bigint[]))`
}
