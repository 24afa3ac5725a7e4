import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'

/**
 * The bills with alias `bills` of a relation with alias `relation`, found by object and item with the index
 * `bill_source`: the object and the item of a relation never change, and an index by relation would have to
 * be maintained for every bill. Combine it with `notDeleted('b')`.
 */
export function billsOfRelation(ownerId: Id, bills: string, relation: string): RawBuilder<unknown> {
  const billAlias = sql.raw(bills)
  const relationAlias = sql.raw(relation)
  return sql`${billAlias}.owner_id = ${ownerId}
    and ${billAlias}.project_code = ${relationAlias}.project_code
    and ${billAlias}.source_type = ${relationAlias}.source_type
    and ${billAlias}.source_code = ${relationAlias}.source_code
    and ${billAlias}.fee_item_id = ${relationAlias}.fee_item_id
    and ${billAlias}.relation_id = ${relationAlias}.id`
}
