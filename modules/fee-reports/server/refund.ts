import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { live, code } from '#kit/server/sql.ts'
import { billAfterRefund } from '#modules/bills/contract/choices.ts'
import { refundWay, recordType, recordState } from '#modules/payments/contract/choices.ts'
import {
  buildingDimension,
  createCalendarDimension,
  choiceLabelSql,
  projectDimension,
  type ReportSource,
} from './report.ts'

/**
 * Lines of negative records, each with the refund that made it; a refund taken back has its record voided.
 * Uses fee_refund_neg.
 */
export const refundSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from pay_record t
      join pay_detail d on d.owner_id = ${scope.ownerId} and d.record_id = t.id and ${live('d')}
      left join fee_refund f on f.owner_id = ${scope.ownerId} and f.neg_record_id = t.id`,
  where: q => [
    sql`t.record_type = ${code(recordType, 'refund')} and t.state <> ${code(recordState, 'voided')}`,
    ...(q.refundWay
      ? [
          sql`f.refund_way = any(
            ${(q.refundWay as ChoiceOf<typeof refundWay>[]).map(w => codeOf(refundWay, w))}
          )`,
        ]
      : []),
    ...(q.feeItem ? [sql`d.fee_item_id = ${q.feeItem}`] : []),
    ...(q.roomCode ? [sql`d.source_code = ${q.roomCode}`] : []),
  ],
  by: {
    item: { key: sql`d.fee_item_id`, name: sql`max(d.fee_item_name)` },
    day: createCalendarDimension(sql`t.pay_day::text`),
    month: createCalendarDimension(sql`to_char(t.pay_day, 'YYYY-MM')`),
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
