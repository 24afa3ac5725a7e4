import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'

/**
 * The bills with alias `bills` of a relation with alias `relation`, found by object and item with the index
 * `bill_source`: the object and the item of a relation never change, and an index by relation would have to
 * be maintained for every bill. Combine it with `notDeleted('b')`.
 */
export function billsOfRelation(ownerId: Id, bills: string, relation: string): RawBuilder<unknown> {
  const b = sql.raw(bills)
  const r = sql.raw(relation)
  return sql`${b}.owner_id = ${ownerId}
    and ${b}.project_code = ${r}.project_code
    and ${b}.source_type = ${r}.source_type
    and ${b}.source_code = ${r}.source_code
    and ${b}.fee_item_id = ${r}.fee_item_id
    and ${b}.relation_id = ${r}.id`
}
