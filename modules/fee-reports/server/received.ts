import { sql } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  projectDimension,
  type ReportSource,
} from './report-source.ts'
import { recordType, recordState } from '#modules/payments/contract/choices.ts'

// Per record all of its money came in or went back: each sum is written once.
const principalSum = sql`coalesce(sum(d.principal), 0)`
const lateFeeSum = sql`coalesce(sum(d.late_fee), 0)`

const refundedSum = sql`(
  coalesce(
    sum(d.principal) filter (where t.record_type = ${code(recordType, 'refund')}), 0
  ) + coalesce(sum(d.late_fee) filter (where t.record_type = ${code(recordType, 'refund')}), 0)
)`

/**
 * Lines of records that were not voided, from the records themselves: a printed report is current (STAT-14).
 */
export const receivedSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from pay_record t
      join pay_detail d on d.owner_id = ${scope.ownerId} and d.record_id = t.id and ${notDeleted('d')}`,
  where: query => [
    sql`t.state <> ${code(recordState, 'voided')} and t.record_type <> ${code(recordType, 'deposit')}`,
    ...(query.feeItem ? [sql`d.fee_item_id = ${query.feeItem}`] : []),
    ...(query.roomCode ? [sql`d.source_code = ${query.roomCode}`] : []),
  ],
  dimensions: {
    item: { key: sql`d.fee_item_id`, name: sql`max(d.fee_item_name)` },
    day: createDayDimension(sql`t.pay_day::text`),
    month: createMonthDimension(sql`to_char(t.pay_day, 'YYYY-MM')`),
    period: createMonthDimension(sql`to_char(d.begin_date, 'YYYY-MM')`),
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
    principal: principalSum,
    lateFee: lateFeeSum,
    received: sql`${principalSum} + ${lateFeeSum} - ${refundedSum}`,
    refunded: sql`-${refundedSum}`,
    net: sql`${principalSum} + ${lateFeeSum}`,
  },
}
