import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { keyOf } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { payMethod, recordType } from '../contract/choices.ts'
import { recordFilters } from '../contract/record.ts'
import { exportRecords, exportTrades } from '../contract/import-export.ts'
import { describeTenders, keptTenders } from '../domain/tender-sums.ts'
import { findLineAmounts, sumRecordsByMethod, sumTrades, withAmountsByMethod } from './method-sums.ts'
import {
  detailConditions,
  plainFiltersOf,
  recordConditions,
  recordFilter,
  tradeRecordFilter,
  type RecordQuery,
} from './record-conditions.ts'
import { describeLineTenders, findTendersByDetail } from './trade.ts'

export const recordExport = exportHandlers({
  kind: 'payments.record',
  name: '收款记录',
  calls: exportRecords,
  entity: exportRecords.entity,
  columns: exportRecords.columns,
  query: (query: RecordQuery, { scope }) => ({
    q: plainFiltersOf(query),
    find: { filters: recordFilters, where: recordConditions(scope.ownerId, query) },
  }),
  enrichRows: async (rows, { db, scope, input }) =>
    (await withAmountsByMethod(db, scope.ownerId, rows, input.payMethod)).map(r => ({
      ...r,
      payMethod: describeTenders(keptTenders(r.methods, r.changeAmount)),
    })),
  loadSums: (_, { db, scope, input, selected }) =>
    input.payMethod?.length
      ? sumRecordsByMethod(
          db,
          scope.ownerId,
          sql.join([recordFilter(scope, input), ...selected], sql` and `),
          input.payMethod,
        )
      : undefined,
})

interface TradeRecordRow {
  readonly id: Id
  readonly recordNo: string
  readonly receiptNo?: string
  readonly payTime: string
  readonly payMethod: number
  readonly payerName?: string
  readonly cashierName?: string
  readonly recordType: number
}

/** Lines of records, in the order of their entry; the records are found as the list finds them. */
export const tradeExport = exportHandlers({
  kind: 'payments.trade',
  name: '缴费明细',
  calls: exportTrades,
  entity: exportTrades.entity,
  columns: exportTrades.columns,
  query: (query: RecordQuery, { scope }) => ({
    q: {},
    find: {
      where: [
        sql`t.record_id in (select t.id from pay_record t where ${tradeRecordFilter(scope, query)})`,
        ...detailConditions(scope.ownerId, query, 't'),
      ],
    },
  }),
  // A line is valid as long as its record is.
  loadSums: ({ where = [] }, { db, scope, input }) =>
    sumTrades(
      db,
      scope.ownerId,
      sql`
        select t.id
        from pay_detail t
        where t.owner_id = ${scope.ownerId} and ${notDeleted('t')} and ${sql.join(where, sql` and `)}
      `,
      input.payMethod,
    ),
  enrichRows: async (rows, { db, scope, input }) => {
    const recordIds = [...new Set(rows.map(r => parseId(r.recordId)))]
    const recordsById = new Map(
      (
        await db.rows<TradeRecordRow>(
          sql`
            select id, record_no, receipt_no, pay_time, pay_method, payer_name, cashier_name, record_type
            from pay_record
            where owner_id = ${scope.ownerId} and id = any(${recordIds})
          `,
        )
      ).map(r => [r.id, r]),
    )
    const tendersByDetail = await findTendersByDetail(db, scope.ownerId, recordIds)
    const amountsById = await findLineAmounts(db, scope.ownerId, recordIds, input.payMethod)
    return rows.map(whole => {
      const row = { ...whole, ...amountsById.get(whole.id) }
      const record = defined(recordsById.get(parseId(row.recordId)))
      const isDeposit = keyOf(recordType, record.recordType) === 'deposit'
      const method = defined(keyOf(payMethod, record.payMethod))
      return {
        ...row,
        principal: isDeposit ? asFen(0) : row.principal,
        deposit: isDeposit ? row.principal : asFen(0),
        recordNo: record.recordNo,
        receiptNo: record.receiptNo,
        payTime: record.payTime,
        payMethod: describeTenders(describeLineTenders(tendersByDetail.get(row.id), method).methods),
        payerName: record.payerName,
        cashierName: record.cashierName,
        recordType: keyOf(recordType, record.recordType),
      }
    })
  },
})
