import type { Id } from '#kit/domain/id.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Fields } from '#kit/contract/field.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { valuesByKey } from './column-storage.ts'
import { sql, type Tx } from './db.ts'
import type { Scope } from './scope.ts'

/** What a record is found by: names by any part, pinyin and initials; codes and numbers by any part. */
export interface SearchTextFields<F extends Fields = Fields> {
  readonly names: readonly (keyof F & string)[]
  readonly codes?: readonly (keyof F & string)[]
}

const textsOf = (row: object, keys: readonly string[]): (string | undefined)[] => {
  const values = valuesByKey(row)
  return keys.map(key => (values[key] === undefined ? undefined : String(values[key])))
}

/** What `search_text` holds of a record (see `matchesSearchText`). */
export const searchTextOf = ({ names, codes = [] }: SearchTextFields, row: object): string =>
  buildSearchText(textsOf(row, names), textsOf(row, codes))

/** Writes the search text of one record that was just added or changed. */
export const saveSearchText = (
  tx: Tx,
  entity: Entity,
  scope: Scope,
  fields: SearchTextFields,
  row: object & { readonly id: Id },
): Promise<number> =>
  tx.execute(sql`
    update ${sql.table(entity.table)}
    set search_text = ${searchTextOf(fields, row)}
    where owner_id = ${scope.ownerId} and id = ${row.id}
  `)
