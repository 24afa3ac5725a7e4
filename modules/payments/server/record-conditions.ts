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
  recordId: _recordId,
  roomCode: _roomCode,
  billId: _billId,
  feeItem: _feeItem,
  offset: _offset,
  payMethod: _payMethod,
  number: _number,
  ...plainFilters
}: RecordQuery) => plainFilters

/** A record by a whole number; receipts count in each project, whose codes are named for the index. */
const numberCondition = (ownerId: Id, number: string) => {
  const written = number.trim().toUpperCase()
  return sql`t.id = any(
    array(
      select r.id
      from pay_record r
      where r.owner_id = ${ownerId} and r.record_no = ${written}
      union
      select r.id
      from pay_record r
      where r.owner_id = ${ownerId}
        and r.project_code = any(array(select c.project_code from receipt_counter c where c.owner_id = ${ownerId}))
        and r.receipt_no = ${written}
    )
  )`
}

/**
 * Conditions of a search beyond the plain filters: how it was paid, the object, the bill or the item of its
 * details. The same for list, totals and export.
 */
export const recordConditions = (ownerId: Id, query: RecordQuery) => {
  const searched = [
    ...(query.roomCode ? [sql`d.source_code = ${query.roomCode}`] : []),
    ...(query.billId ? [sql`d.bill_id = ${query.billId}`] : []),
    ...(query.feeItem ? [sql`d.fee_item_id = ${query.feeItem}`] : []),
  ]
  const offset = sql`(t.prestore_amount <> 0 or t.coupon_amount <> 0)`
  return [
    ...(query.recordId === undefined ? [] : [sql`t.id = ${query.recordId}`]),
    ...(query.number ? [numberCondition(ownerId, query.number)] : []),
    ...methodConditions(ownerId, query.payMethod),
    ...(searched.length
      ? [
          sql`t.id in (
            select d.record_id
            from pay_detail d
            where d.owner_id = ${ownerId} and ${sql.join(searched, sql` and `)}
          )`,
        ]
      : []),
    ...(query.offset === undefined ? [] : [query.offset ? offset : sql`not ${offset}`]),
  ]
}

/** The whole condition of a search, whatever the state of the records `t`. */
export const recordFilter = (scope: Scope, query: RecordQuery) =>
  sql.join(
    [
      tenantFilter(payRecord, scope, query.projectCode),
      ...filterConditions(payRecord, plainFiltersOf(query), recordFilters),
      ...keywordCondition(payRecord, scope.ownerId, query.keyword),
      ...recordConditions(scope.ownerId, query),
    ],
    sql` and `,
  )

/** Records `t` that a search for trades finds; voided ones where state or record asks for them. */
export const tradeRecordFilter = (scope: Scope, query: RecordQuery) =>
  query.state || query.recordId !== undefined
    ? recordFilter(scope, query)
    : sql`${recordFilter(scope, query)} and t.state <> ${code(recordState, 'voided')}`

/** The details of a record that the search is about; of a mixed payment those that the method paid for. */
export const detailConditions = (ownerId: Id, query: RecordQuery, alias: string) => {
  const detail = sql.raw(alias)
  return [
    ...(query.feeItem ? [sql`${detail}.fee_item_id = ${query.feeItem}`] : []),
    ...(query.billId ? [sql`${detail}.bill_id = ${query.billId}`] : []),
    ...(query.roomCode ? [sql`${detail}.source_code = ${query.roomCode}`] : []),
    ...(query.payMethod?.length
      ? [
          sql`(
            exists (
              select 1
              from pay_record r
              where r.owner_id = ${ownerId} and r.id = ${detail}.record_id and jsonb_array_length(r.methods) <= 1
            )
            or ${detail}.id in (
              select p.detail_id
              from (${selectPaidParts(ownerId, sql`select ${detail}.record_id as id`)}) p
              where ${isPaidBy(sql`p.method`, query.payMethod)}
            )
          )`,
        ]
      : []),
  ]
}
