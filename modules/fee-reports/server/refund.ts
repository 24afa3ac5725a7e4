import { sql } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { billAfterRefund } from '#modules/bills/contract/choices.ts'
import { refundWay, recordType, recordState } from '#modules/payments/contract/choices.ts'
import type { ReportQuery } from '../contract/report.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  listFilter,
  type ReportSource,
  type Sql,
} from './report-source.ts'

const refundWayCondition = (query: ReportQuery): readonly Sql[] => {
  if (!query.refundWay) return []
  const keys = listFilter(query, 'refundWay')
  const tenders = Object.entries(refundWay.rows).flatMap(([key, [way]]) => (keys.includes(key) ? [way] : []))
  return [sql`f.refund_way = any(${tenders})`]
}

/**
 * Lines of negative records, each with the refund that made it; a refund taken back has its record voided.
 * Uses fee_refund_neg.
 */
export const refundSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from pay_record t
      join pay_detail d on d.owner_id = ${scope.ownerId} and d.record_id = t.id and ${notDeleted('d')}
      left join fee_refund f on f.owner_id = ${scope.ownerId} and f.neg_record_id = t.id`,
  where: query => [
    sql`t.record_type = ${code(recordType, 'refund')} and t.state <> ${code(recordState, 'voided')}`,
    ...refundWayCondition(query),
    ...(query.feeItem ? [sql`d.fee_item_id = ${query.feeItem}`] : []),
    ...(query.roomCode ? [sql`d.source_code = ${query.roomCode}`] : []),
  ],
  dimensions: {
    item: { key: sql`d.fee_item_id`, name: sql`max(d.fee_item_name)` },
    day: createDayDimension(sql`t.pay_day::text`),
    month: createMonthDimension(sql`to_char(t.pay_day, 'YYYY-MM')`),
    way: { key: sql`f.refund_way`, name: choiceLabelSql(refundWay, sql`f.refund_way`) },
    after: { key: sql`f.bill_after`, name: choiceLabelSql(billAfterRefund, sql`f.bill_after`) },
    build: buildingDimension,
    source: {
      key: sql`t.project_code || '/' || d.source_type || '/' || d.source_code`,
      name: sql`max(d.source_name)`,
    },
    cashier: { key: sql`t.cashier_id`, name: sql`max(t.cashier_name)` },
    project: projectDimension,
  },
  figures: {
    count: sql`count(*)`,
    principal: sql`coalesce(-sum(d.principal), 0)`,
    lateFee: sql`coalesce(-sum(d.late_fee), 0)`,
    amount: sql`coalesce(-sum(d.principal + d.late_fee), 0)`,
  },
}
