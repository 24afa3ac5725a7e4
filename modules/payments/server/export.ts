import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { keyOf } from '#kit/contract/field.ts'
import { asFen, parseYuan } from '#kit/domain/money.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { notStruckOutFilter } from '#kit/server/table.ts'
import { payMethod, recordType } from '../contract/choices.ts'
import { payRecord, recordFilters } from '../contract/record.ts'
import { exportRecords, exportTrades, recordColumns } from '../contract/import-export.ts'
import {
  detailConditions,
  plainFiltersOf,
  recordConditions,
  tradeDeposit,
  tradePrincipal,
  tradeRecordFilter,
  type RecordQuery,
} from './record.ts'

export const recordExport = exportHandlers<RecordQuery>({
  kind: 'payments.record',
  name: '收款记录',
  calls: exportRecords,
  entity: payRecord,
  columns: recordColumns,
  query: (q, { scope }) => ({
    q: plainFiltersOf(q),
    find: { filters: recordFilters, where: recordConditions(scope.ownerId, q) },
  }),
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

const notStruckOutRecords = notStruckOutFilter(payRecord.fields)

/** Lines of records, in the order of their entry; the records are found as the list finds them. */
export const tradeExport = exportHandlers({
  kind: 'payments.trade',
  name: '缴费明细',
  calls: exportTrades,
  entity: exportTrades.entity,
  columns: exportTrades.columns,
  query: (q, { scope }) => ({
    q: {},
    find: {
      where: [
        sql`t.record_id in (select t.id from pay_record t where ${tradeRecordFilter(scope, q)})`,
        ...detailConditions(q, 't'),
      ],
    },
  }),
  // A line stands as long as its record does.
  loadSums: async ({ where = [] }, { db, scope }) => {
    const sum = await db.one<{ principal: string; deposit: string; late: string }>(sql`
      select coalesce(sum(${tradePrincipal})${notStruckOutRecords}, 0)::text as principal,
        coalesce(sum(${tradeDeposit})${notStruckOutRecords}, 0)::text as deposit,
        coalesce(sum(d.late_fee)${notStruckOutRecords}, 0)::text as late
      from pay_detail d
      join pay_record t on t.owner_id = ${scope.ownerId} and t.id = d.record_id
      where d.owner_id = ${scope.ownerId}
        and d.id in (
          select t.id
          from pay_detail t
          where t.owner_id = ${scope.ownerId} and ${notDeleted('t')} and ${sql.join(where, sql` and `)}
        )
    `)
    return {
      principal: parseYuan(sum?.principal ?? '0'),
      deposit: parseYuan(sum?.deposit ?? '0'),
      lateFee: parseYuan(sum?.late ?? '0'),
    }
  },
  enrichRows: async (rows, { db, scope }) => {
    const recordsById = new Map(
      (
        await db.rows<TradeRecordRow>(
          sql`
            select id, record_no, receipt_no, pay_time, pay_method, payer_name, cashier_name, record_type
            from pay_record
            where owner_id = ${scope.ownerId}
              and id = any(${[...new Set(rows.map(r => Number(r.recordId)))]})
          `,
        )
      ).map(r => [r.id, r]),
    )
    return rows.map(r => {
      const record = defined(recordsById.get(parseId(r.recordId)))
      const isDeposit = keyOf(recordType, record.recordType) === 'deposit'
      return {
        ...r,
        principal: isDeposit ? asFen(0) : r.principal,
        deposit: isDeposit ? r.principal : asFen(0),
        recordNo: record.recordNo,
        receiptNo: record.receiptNo,
        payTime: record.payTime,
        payMethod: keyOf(payMethod, record.payMethod),
        payerName: record.payerName,
        cashierName: record.cashierName,
        recordType: keyOf(recordType, record.recordType),
      }
    })
  },
})
