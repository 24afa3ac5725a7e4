import type { Entity } from '#kit/contract/entity.ts'
import type { Fields } from '#kit/contract/field.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from './db.ts'
import type { Scope } from './scope.ts'

/** What a record is found by: names by any part, pinyin and initials; codes and numbers by any part. */
export interface SearchTextFields<F extends Fields = Fields> {
  readonly names: readonly (keyof F & string)[]
  readonly codes?: readonly (keyof F & string)[]
}

type Values = Readonly<Record<string, unknown>>

const textsOf = (row: Values, keys: readonly string[]): (string | undefined)[] =>
  keys.map(key => row[key] as string | undefined)

/** What `search_text` holds of a record (`matchesSearchText` asks it). */
export const searchTextOf = (of: SearchTextFields, row: object): string =>
  buildSearchText(textsOf(row as Values, of.names), textsOf(row as Values, of.codes ?? []))

/** Writes the search text of one record that was just added or changed. */
export const saveSearchText = (
  tx: Tx,
  e: Entity,
  scope: Scope,
  of: SearchTextFields,
  row: object & { readonly id: number },
): Promise<number> =>
  tx.execute(sql`
    update ${sql.table(e.table)}
    set search_text = ${searchTextOf(of, row)}
    where owner_id = ${scope.ownerId} and id = ${row.id}
  `)
