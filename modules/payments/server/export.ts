import { sql } from '#kit/server/db.ts'
import { exportHandlers } from '#kit/server/sheets.ts'
import { keyOf } from '#kit/contract/field.ts'
import { payMethod, recordType } from '../contract/choices.ts'
import { payRecord, recordFilters } from '../contract/record.ts'
import { exportRecords, exportTrades, recordColumns, trade, tradeColumns } from '../contract/transfer.ts'
import { detailWhere, plain, recordWhere, tradeRecords, type Ask } from './record.ts'

export const recordExport = exportHandlers<Ask>({
  kind: 'payments.record',
  name: '收款记录',
  calls: exportRecords,
  entity: payRecord,
  columns: recordColumns,
  query: (q, { scope }) => ({
    q: plain(q),
    find: { filters: recordFilters, where: recordWhere(scope.ownerId, q) },
  }),
})

interface Beside {
  readonly id: number
  readonly recordNo: string
  readonly receiptNo?: string
  readonly payTime: string
  readonly payMethod: number
  readonly payerName?: string
  readonly cashierName?: string
  readonly recordType: number
}

/** Lines of records, in the order of their entry; the records are found as the list finds them. */
export const tradeExport = exportHandlers<Ask>({
  kind: 'payments.trade',
  name: '缴费明细',
  calls: exportTrades,
  entity: trade,
  columns: tradeColumns,
  query: (q, { scope }) => ({
    q: {},
    find: {
      where: [
        sql`t.record_id in (select t.id from pay_record t where ${tradeRecords(scope, q)})`,
        ...detailWhere(q, 't'),
      ],
    },
  }),
  dress: async (rows, { db, scope }) => {
    const by = new Map(
      (
        await db.rows<Beside>(
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
      const p = by.get(Number(r.recordId))!
      return {
        ...r,
        recordNo: p.recordNo,
        receiptNo: p.receiptNo,
        payTime: p.payTime,
        payMethod: keyOf(payMethod, p.payMethod),
        payerName: p.payerName,
        cashierName: p.cashierName,
        recordType: keyOf(recordType, p.recordType),
      }
    })
  },
})
