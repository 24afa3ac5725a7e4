import { sql, type RawBuilder } from '#kit/server/db.ts'

/**
 * Bills `b` of a relation `r` of `fee_relation`, found by its place with `bill_source`: the object and the
 * item of a relation are fixed, and an index by relation of its own would be paid for on each bill. Ask for
 * `b.delete_tag = 0` too.
 */
export const billsOfRelation = (b: string, r: string): RawBuilder<unknown> =>
  sql.raw(
    `${b}.owner_id = ${r}.owner_id and ${b}.project_code = ${r}.project_code and ${b}.source_type = ${r}.source_type and ${b}.source_code = ${r}.source_code and ${b}.fee_item_id = ${r}.fee_item_id and ${b}.relation_id = ${r}.id`,
  )
