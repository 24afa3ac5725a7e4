import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { filterConditions, keywordCondition, tenantFilter } from '#kit/server/table.ts'
import { recordState } from '../contract/choices.ts'
import { payRecord, recordFilters, type listRecords } from '../contract/record.ts'
import { isPaidBy, methodConditions, selectPaidParts } from './paid-parts.ts'

export type RecordQuery = NonNullable<typeof listRecords.input.T>

/** The filters that are columns of the record alone. */
export const plainFiltersOf = ({
  recordId: _,
  roomCode: __,
  billId: ___,
  feeItem: ____,
  offset: _____,
  payMethod: ______,
  ...q
}: RecordQuery) => q

/**
 * Conditions of a search beyond the plain filters: how it was paid, the object, the bill or the item of its
 * details. The same for list, totals and export.
 */
export const recordConditions = (owner: Id, q: RecordQuery) => {
  const searched = [
    ...(q.roomCode ? [sql`d.source_code = ${q.roomCode}`] : []),
    ...(q.billId ? [sql`d.bill_id = ${q.billId}`] : []),
    ...(q.feeItem ? [sql`d.fee_item_id = ${q.feeItem}`] : []),
  ]
  const offset = sql`(t.prestore_amount <> 0 or t.coupon_amount <> 0)`
  return [
    ...(q.recordId === undefined ? [] : [sql`t.id = ${q.recordId}`]),
    ...methodConditions(owner, q.payMethod),
    ...(searched.length
      ? [
          sql`t.id in (
            select d.record_id
            from pay_detail d
            where d.owner_id = ${owner} and ${sql.join(searched, sql` and `)}
          )`,
        ]
      : []),
    ...(q.offset === undefined ? [] : [q.offset ? offset : sql`not ${offset}`]),
  ]
}

/** The whole condition of a search, whatever the state of the records `t`. */
export const recordFilter = (scope: Scope, q: RecordQuery) =>
  sql.join(
    [
      tenantFilter(payRecord, scope, q.projectCode),
      ...filterConditions(payRecord, plainFiltersOf(q), recordFilters),
      ...keywordCondition(payRecord, q.keyword),
      ...recordConditions(scope.ownerId, q),
    ],
    sql` and `,
  )

/** Records `t` that a search for trades finds; voided ones where state or record asks for them. */
export const tradeRecordFilter = (scope: Scope, q: RecordQuery) =>
  q.state || q.recordId !== undefined
    ? recordFilter(scope, q)
    : sql`${recordFilter(scope, q)} and t.state <> ${code(recordState, 'voided')}`

/** The details of a record that the search is about; of a mixed payment those that the method paid for. */
export const detailConditions = (owner: Id, q: RecordQuery, alias: string) => {
  const d = sql.raw(alias)
  return [
    ...(q.feeItem ? [sql`${d}.fee_item_id = ${q.feeItem}`] : []),
    ...(q.billId ? [sql`${d}.bill_id = ${q.billId}`] : []),
    ...(q.roomCode ? [sql`${d}.source_code = ${q.roomCode}`] : []),
    ...(q.payMethod?.length
      ? [
          sql`(
            exists (
              select 1
              from pay_record r
              where r.owner_id = ${owner} and r.id = ${d}.record_id and jsonb_array_length(r.methods) <= 1
            )
            or ${d}.id in (
              select p.detail_id
              from (${selectPaidParts(owner, sql`select ${d}.record_id as id`)}) p
              where ${isPaidBy(sql`p.method`, q.payMethod)}
            )
          )`,
        ]
      : []),
  ]
}
